"""The olmoaco paper: ontology learning and a multi-objective ant colony. Its equations, in order:

======================  =========================================================================
2.5, steps 1-7          :mod:`.learner` runs them: terms (:mod:`.sources`, :mod:`.nouns`,
                        :mod:`.terms`), skeleton (Def. 1, :mod:`.formal_context`,
                        :mod:`.skeleton`), WordNet (:mod:`.wordnet_neighbours`), topics and pairs
                        (Eq. 1, Def. 2-3, :mod:`.word_topics`); ours: :mod:`.statements`
Eq. 2-4                 :mod:`.concept_similarity`, :mod:`.topic_ontology`
Eq. 5-8                 :mod:`scenthound.papers.concept_model`
Eq. 9-14                :mod:`.objectives` over :mod:`.link_graph`
Eq. 15                  :mod:`.pagerank`
Eq. 16-17               :mod:`.pheromones`
Eq. 18                  :mod:`.selection`
Algorithm 1             :mod:`.ants`, with :mod:`.walking`
what it compares with   :mod:`.rivals`
future work             :mod:`.rivals`
======================  =========================================================================
"""
