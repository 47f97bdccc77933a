"""Words that say nothing about a topic, by language."""

from __future__ import annotations

_ENGLISH = """
a about above across after again against ago all almost alone along already also although always
am among amongst an and another any anybody anyone anything anywhere are aren around as at away
back be became because become becomes been before behind being below besides between beyond both
but by can cannot could couldn did didn do does doesn doing don done down due during each either
else elsewhere enough especially etc even ever every everybody everyone everything everywhere
except far few first for former formerly from further furthermore gave get gets getting give given
gives giving go goes going gone got had hadn has hasn have haven having he hence her here hers
herself him himself his how however if in include included includes including indeed instead into
is isn it its itself just keep kept know known last later latter least less let like likely ll made
mainly make makes making many may maybe me mean meanwhile might mine more moreover most mostly much
must my myself namely near nearly neither never nevertheless next no nobody none nor not nothing
now nowhere of off often on once one only onto or other others otherwise our ours ourselves out
over own per perhaps please put quite rather re really same say says second see seem seemed seems
seen several shall she should shouldn since so some somebody somehow someone something sometimes
somewhere soon still such take taken than that the their theirs them themselves then there thereby
therefore these they thing things third this those though three through throughout thus to together
too took toward towards twice two under unless unlike until up upon us use used uses using usually
various ve very via was wasn way we well went were weren what whatever when whenever where whereas
wherever whether which while who whoever whole whom whose why will with within without won would
wouldn yet you your yours yourself yourselves
"""

STOP_WORDS: dict[str, frozenset[str]] = {"en": frozenset(_ENGLISH.split())}
"""By language code. A language that is not here keeps all its words: TF-IDF has to do."""


def stop_words(language: str) -> frozenset[str]:
    """Stop words of ``language`` (``en``, ``en-GB``, ...); empty where we have none."""
    return STOP_WORDS.get(language.lower().partition("-")[0], frozenset())
