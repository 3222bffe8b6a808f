"""What the words of a query weigh: the rarer in the scope, the more. Counted when asked, because Neo4j tells it not."""

from neo4j import Transaction

from brainbridge.domain.scope import Scope
from brainbridge.graph.statements import recall
from brainbridge.recall.query import Query, index_of, lucene
from brainbridge.recall.strength import idf

# Words that are counted: more would cost time, and a long query has enough with these.
COUNTED_WORDS = 8
# Counting stops here; what stands in more memories weighs as if it stood in so many.
COMMON = 5_000
# The number of memories is estimated from one in 256, give or take a quarter; with fewer than 16 of these they are
# counted one by one, up to so many. What a word weighs changes with the logarithm of their number.
SAMPLED = 256
ENOUGH = 16
FEW = 2_000
# A smaller brain is taken for one of this size. Among three memories a word that occurs would weigh a fifth of one that
# does not, so that a question with one other word in it could not be answered.
LEAST = 500


def weights_of(tx: Transaction, scope: Scope, query: Query) -> dict[str, float]:
    """The IDF of the words of a query: of its names and its longest words, at most eight."""
    chosen = sorted(query.words, key=lambda word: (word not in query.names, -len(word)))[:COUNTED_WORDS]
    rows = [{"word": w, "index": f"live_{index_of(w)}", "lucene": lucene([w], scope.token)} for w in chosen]
    found = recall.count_words(tx, scope, words=rows, most=COMMON, few=FEW, enough=ENOUGH)
    memories = found.counted if 0 < found.counted < FEW else max(found.counted, found.sampled * SAMPLED)
    return {word: idf(max(memories, holding, LEAST), holding) for word, holding in found.words.items()}
