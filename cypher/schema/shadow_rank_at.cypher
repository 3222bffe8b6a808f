// schema/shadow_rank_at: the shadow rankings of a brain and scope by the instant of their page.
//
// Runs     write; again changes nothing
CREATE INDEX shadow_rank_at IF NOT EXISTS FOR (s:ShadowRank) ON (s.brain, s.isTest, s.at)
