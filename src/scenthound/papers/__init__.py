"""The contributions of the five papers. ``docs/papers.md`` has every equation with its function.

==============================  ==================================================================
sdvsm Eq. 1-4                   :mod:`.fuzzy`
sdvsm Eq. 10-15                 :mod:`.ambiguity`
sdvsm Eq. 9-16, 20              :mod:`.sdvsm`
svsm-mcoa Eq. 4                 :mod:`.weight_problem`; exact weights, ours: :mod:`.least_squares`
svsm-mcoa Eq. 5                 :mod:`.genetic_operators`
svsm-mcoa Eq. 6, Algorithm 1    :mod:`.svsm_mcoa`
bsvsm-ha Eq. 5-10, Algorithm 1  :mod:`.bsvsm_ha`
bsvsm-ha, its rival ELMo        :mod:`.elmo`, :mod:`.elmo_network`, :mod:`.elmo_training`
olmoaco                         :mod:`.olmoaco`, :mod:`.concept_model` (Eq. 5-8),
                                :mod:`.ontologies`
==============================  ==================================================================

SSVSM = SVSM (svsm-mcoa Eq. 2-3, bsvsm-ha Eq. 4) is in :mod:`scenthound.similarity.text_models`,
the priority of a link (svsm-mcoa Eq. 7) in :mod:`scenthound.similarity.link_priority`.
"""
