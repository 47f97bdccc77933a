"""What stands before and after a cue in a sentence, by rules of our own in place of a parser."""

from __future__ import annotations

from collections.abc import Sequence

from scenthound.ontology_learning.cues import Voice
from scenthound.ontology_learning.sentences import PAUSE, Place
from scenthound.text.stopwords import stop_words

MOST_BETWEEN = 3
"""Words between a concept and a cue."""
MOST_LISTED = 6
"""Concepts on one side of a cue: "wind, rain and waves"."""
_NEGATED_BEFORE = 2
"""Words before the first concept that may deny it: "no flood was caused by ..."."""

_FUNCTION = stop_words("en")
_BE = frozenset("is are was were be been being".split())
_RELATIVES = frozenset({"that", "which"})
_PLURAL = frozenset({"are", "were"})
_LINKING = frozenset(
    "can may might could will would must does did has have had that which also often sometimes "
    "mostly mainly then thus always still again".split()
)
"""May stand between a subject and its verb, as may words in -ly."""
_DETERMINERS = frozenset(
    "a an the this that these those its his her their our your my some any each every no".split()
)
_PREPOSITIONS = frozenset(
    "of in on at by for from with into onto to near along over under above below between among "
    "during after before through against across without than as like off behind following despite "
    "including since until towards".split()
)
_JOINING = frozenset({"and", "or"})
_BOUNDS = _PREPOSITIONS | _JOINING | _BE | _LINKING
_BOUNDS |= frozenset(", but who what it they them him her us back down up out away about".split())
"""Nothing of this stands between a cue and what it is about."""
_NEGATIONS = frozenset(
    "not no never without cannot neither nor hardly seldom rarely isn aren wasn weren doesn don "
    "didn won couldn wouldn shouldn".split()
)
_QUANTITIES = frozenset("most many some all kinds types sorts forms risk danger threat".split())
""" "Most of the landslides" are landslides, while "the foot of the slope" is no slope."""
_FOR_EXAMPLE = (("such", "as"), ("including",), ("like",))
_NO_NOUNS = ("ing", "ed", "ly")


class Reading:
    """A sentence with what stands before and after its cues.

    Parameters
    ----------
    tokens : of the sentence.
    places : of concepts that may be subjects and objects.
    """

    def __init__(self, tokens: Sequence[str], places: Sequence[Place]) -> None:
        self._tokens = tokens
        self._begins = {place.start: place for place in places}
        self._ends = {place.end: place for place in places}

    def before(self, cue: int, voice: Voice) -> list[Place]:
        """The subject that a cue has; none where it is not a concept."""
        for end in range(cue, max(-1, cue - MOST_BETWEEN - 2), -1):
            if end in self._ends:
                found = self._listed_before(self._ends[end])
                return found if self._is_subject(found, self._tokens[end:cue], voice) else []
        return []

    def after(self, cue: int) -> list[Place]:
        """What a cue is about; none where it is not a concept."""
        for start in range(cue, min(cue + MOST_BETWEEN + 1, len(self._tokens))):
            place = self._begins.get(start)
            if place is not None and self._is_head(place):
                return self._listed_after(place)
            if self._tokens[start] in _BOUNDS or self._acts(start):
                break
        return []

    def examples_after(self, end: int) -> list[Place]:
        """What "such as" or the like names next."""
        start = end + 1 if self._token(end) == PAUSE else end
        for words in _FOR_EXAMPLE:
            if tuple(self._tokens[start : start + len(words)]) == words:
                return self.after(start + len(words))
        return []

    def is_denied(self, before: Sequence[Place], after: Sequence[Place], cue: int) -> bool:
        """Does a word around the cue say "not"?"""
        start = max(0, (before[-1].start if before else cue) - _NEGATED_BEFORE)
        end = after[0].start if after else cue
        return not _NEGATIONS.isdisjoint(self._tokens[start:end])

    def _token(self, place: int) -> str:
        """The token there; a pause outside the sentence."""
        return self._tokens[place] if 0 <= place < len(self._tokens) else PAUSE

    def _is_subject(self, places: Sequence[Place], between: Sequence[str], voice: Voice) -> bool:
        """Of a cue after the words between; one thing alone "is", and "are" tells of another."""
        agree = len(places) > 1 or places[0].inflected or _PLURAL.isdisjoint(between)
        if not agree or not _links(between, voice):
            return False
        # Without a comma "that" goes back to the word before it, whatever that belongs to.
        close = not (between and between[0] == PAUSE) and not _RELATIVES.isdisjoint(between)
        return close or not self._belongs_to_another(places[-1].start)

    def _is_head(self, place: Place) -> bool:
        """Does a phrase end there? Not with the rain of "rain clouds"; plurals modify nothing."""
        token = self._token(place.end)
        closed = token == PAUSE or token in _FUNCTION or token.endswith(_NO_NOUNS)
        return closed or place.inflected

    def _acts(self, place: int) -> bool:
        """Is it something done, as in "removing the lens"? "Driving rain" is rain."""
        return self._token(place).endswith("ing") and self._token(place + 1) in _DETERMINERS

    def _belongs_to_another(self, start: int) -> bool:
        """Is it the end of a longer subject, as "slope" is in "the foot of the slope"?"""
        for place in range(start - 1, start - 2 - MOST_BETWEEN, -1):
            token = self._token(place)
            if token in _PREPOSITIONS:
                return not (token == "of" and self._token(place - 1) in _QUANTITIES)
            if token in _DETERMINERS:
                before, quantity = self._token(place - 1), self._token(place - 2)
                return before in _PREPOSITIONS and quantity not in _QUANTITIES
            if token == PAUSE or token in _FUNCTION:
                return False
        return False

    def _listed_before(self, last: Place) -> list[Place]:
        """The concepts that are joined with it, from right to left."""
        found = [last]
        while len(found) < MOST_LISTED:
            place = found[-1].start - 1
            if self._may_modify(place):
                place -= 1
            # A comma alone may part two clauses; after an "and" it is one of a list.
            joined = self._token(place) in _JOINING or (len(found) > 1 and self._comma(place))
            if not joined or place not in self._ends:
                break
            found.append(self._ends[place])
        return found

    def _listed_after(self, first: Place) -> list[Place]:
        """The concepts that are joined with it; commas count where an "and" closes the list."""
        found, closed = [first], 1
        while len(found) < MOST_LISTED:
            place = end = found[-1].end
            place += self._comma(place)
            joined = self._token(place) in _JOINING
            place += joined
            if place == end:
                break
            member = self._member_at(place)
            if member is None:
                break
            found.append(member)
            closed = len(found) if joined else closed
        return found[:closed]

    def _member_at(self, start: int) -> Place | None:
        """A concept with one modifier or none, after which nothing new is said."""
        starts = (start, start + 1) if self._may_modify(start) else (start,)
        places = (self._begins.get(place) for place in starts)
        return next((each for each in places if each and self._closes(each.end)), None)

    def _comma(self, place: int) -> bool:
        return 0 <= place < len(self._tokens) and self._tokens[place] == PAUSE

    def _may_modify(self, place: int) -> bool:
        token = self._token(place)
        return token in _DETERMINERS or (token != PAUSE and token not in _FUNCTION)

    def _closes(self, end: int) -> bool:
        token = self._token(end)
        return token == PAUSE or token in _JOINING or token in _PREPOSITIONS


def _links(between: Sequence[str], voice: Voice) -> bool:
    """Is what stands before these words the subject of the cue after them?"""
    words = between
    if between and between[0] == PAUSE:
        # "It hit the river, causing ..." is not about the river; "the river, which causes ..." is.
        words = between[1:]
        if not words or words[0] not in _RELATIVES:
            return False
    if len(words) > MOST_BETWEEN or PAUSE in words:
        return False
    if voice is Voice.ACTIVE:
        return all(map(_is_linking, words))
    if voice is Voice.PART:
        return _is_predicate(words)
    return all(word in _BE or _is_linking(word) for word in words)


def _is_linking(word: str) -> bool:
    return word in _LINKING or word.endswith("ly")


def _is_predicate(words: Sequence[str]) -> bool:
    """ "is a", "may be the calmest": a form of "to be", and no other noun phrase begins."""
    verb = next((place for place, word in enumerate(words) if not _is_linking(word)), None)
    if verb is None or words[verb] not in _BE:
        return False
    return not any(word in _PREPOSITIONS or word in _JOINING for word in words[verb + 1 :])
