"""Words that ask and words that join: they say nothing of what is asked for, so recall drops them from a query.

Dropping them is worth .06 nDCG@10 on questions in whole sentences (docs/explanation/recall.md). English, as the
analyzer of the index is; other languages lose nothing but this gain.
"""

FUNCTION_WORDS = frozenset(
    "a an the this that these those "
    "i you he she it we they me him her us them my your his its our their mine yours "
    "who whom whose what which when where why how many much often kind "
    "is are was were be been being am do does did doing done has have had having "
    "can could will would shall should may might must "
    "of in on at to for from by with about into onto over after before between during since until than as "
    "and or but if then so because while not no "
    "there here any some all both each just also too very more most other "
    "tell know remember please get got".split()
)

# What asks or ends a sentence in Chinese, Japanese and Korean.
CJK_ASKING = tuple(
    "どうですか どうしますか どこですか だれですか 誰ですか 何ですか いつですか でしょうか ましたか ですか ますか "
    "ください どこ どう だれ いつ なに 何時 什么时候 什麼時候 什么 什麼 怎么 怎麼 哪里 哪裡 哪个 为什么 為什麼 多少 "
    "무엇입니까 무엇인가요 어디입니까 언제입니까 누구입니까 입니까 습니까 인가요 무엇 어디 언제 누구".split()
)
