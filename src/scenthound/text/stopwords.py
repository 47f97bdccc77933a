"""Words that say nothing about a topic, by language."""

from __future__ import annotations

from functools import lru_cache

from scenthound.text.codes import primary_language
from scenthound.text.spelling import respelling
from scenthound.text.words import words

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

_OURS = frozenset(_ENGLISH.split())


@lru_cache(maxsize=32)
def stop_words(language: str) -> frozenset[str]:
    """Stop words of ``language`` (``en``, ``en-GB``, ...); empty where there are none.

    English has a list of our own. Those of other languages are the library's (stopwordsiso),
    which are longer than one would wish: they hold a few nouns as well.
    """
    code = primary_language(language)
    if code == "en":
        return _OURS
    import stopwordsiso

    if code is None or not stopwordsiso.has_lang(code):
        return frozenset()
    respell = respelling(language) or str
    split = (words(respell(each)) for each in stopwordsiso.stopwords(code))
    return frozenset(found[0] for found in split if len(found) == 1)
