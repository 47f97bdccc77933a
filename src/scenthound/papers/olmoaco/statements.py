"""What texts say of the concepts of a draft, by cue phrases ("caused by", "leads to", "consists
of") as Hearst (1992) and Girju and Moldovan (2002) use them; ours, beside the steps of olmoaco.
Where a sentence is not plain, nothing is taken. English.
"""

from __future__ import annotations

import enum
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

from scenthound.papers.olmoaco.nouns import DETERMINERS, IsNoun, counted_votes, noun_test
from scenthound.papers.olmoaco.skeleton import Proposal
from scenthound.papers.olmoaco.sources import Source
from scenthound.papers.ontologies.model import Kind
from scenthound.text.rules import Rules, stop_words
from scenthound.text.wordnet import WordNet

MOST_TOKENS = 400
"""A sentence that is longer is cut: it is a list or a table."""
PAUSE = ","
_TOKEN = re.compile(r"[^\W_]+|[,.;:!?()\[\]{}\"\u201c\u201d\u2013\u2014]|\n(?![^\S\n]*[a-z])")
_PAUSES = frozenset(',()[]{}"\u201c\u201d\u2013\u2014')
"""What keeps words apart and ends no sentence. A hyphen does neither: "rain-induced"."""


class Sentence(NamedTuple):
    """One sentence: its words in lower case, every kind of pause as a comma, and their spans in the
    text.
    """

    tokens: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]


def sentences(text: str) -> Iterator[Sentence]:
    """Yield the sentences of a text.

    They end at full stops, colons and the like, and with a line, unless the next line goes on in
    small letters: texts are wrapped.
    """
    tokens: list[str] = []
    spans: list[tuple[int, int]] = []
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token[0].isalnum() or token in _PAUSES:
            tokens.append(PAUSE if token in _PAUSES else token.lower())
            spans.append(match.span())
        if tokens and (len(tokens) == MOST_TOKENS or token in ".;:!?\n"):
            yield Sentence(tuple(tokens), tuple(spans))
            tokens, spans = [], []
    if tokens:
        yield Sentence(tuple(tokens), tuple(spans))


class ConceptSpan(NamedTuple):
    """A concept in a sentence; ``inflected`` if its last word is not in its base form, such as a
    plural.
    """

    start: int
    end: int
    label: str
    inflected: bool = False


class ConceptFinder:
    """Finds concepts in sentences by the base forms of their words.

    Labels that read alike ("flood" and "floods") are one: the first stands for both.
    """

    def __init__(self, labels: Iterable[str], rules: Rules) -> None:
        self._base = rules.base
        self._labels: dict[tuple[str, ...], str] = {}
        lengths: dict[str, set[int]] = {}
        for label in labels:
            bases = tuple(map(rules.base, rules.split(label)))
            if bases:
                self._labels.setdefault(bases, label)
                lengths.setdefault(bases[0], set()).add(len(bases))
        self._lengths = {first: sorted(found, reverse=True) for first, found in lengths.items()}

    def places(self, tokens: Sequence[str]) -> list[ConceptSpan]:
        """Return where concepts stand, in order; of two that overlap the first, the longest of a
        place.

        "storm surges" is one "storm surge" and no "storm".
        """
        bases = tuple(map(self._base, tokens))
        found: list[ConceptSpan] = []
        for start, base in enumerate(bases):
            if found and start < found[-1].end:
                continue
            for length in self._lengths.get(base, ()):
                end = start + length
                label = self._labels.get(bases[start:end])
                if label is not None and end <= len(bases):
                    inflected = tokens[end - 1] != bases[end - 1]
                    found.append(ConceptSpan(start, end, label, inflected))
                    break
        return found


class Voice(enum.Enum):
    """Which of the two things comes first, and what may stand before the cue."""

    ACTIVE = "rain causes a flood"
    PASSIVE = "a flood (is) caused by rain"
    PART = "an eye is a part of a storm"
    WHOLE = "a storm consists of an eye"


class Cue(NamedTuple):
    """Words that relate what stands before them to what stands after."""

    words: tuple[str, ...]
    voice: Voice

    @property
    def kind(self) -> Kind:
        """How the child is related to its parent."""
        causes = self.voice in (Voice.ACTIVE, Voice.PASSIVE)
        return Kind.INDUCED_BY if causes else Kind.PART_OF

    @property
    def parent_first(self) -> bool:
        """Whether the parent stands before the cue."""
        return self.voice in (Voice.ACTIVE, Voice.WHOLE)


_PHRASES = {
    Voice.ACTIVE: "cause|causes|caused|causing|trigger|triggers|triggered|triggering|"
    "induce|induces|induced|inducing|produce|produces|produced|producing|"
    "generate|generates|generated|generating|bring|brings|brought|bringing|"
    "lead to|leads to|led to|leading to|result in|results in|resulted in|resulting in",
    Voice.PASSIVE: "caused by|triggered by|induced by|produced by|generated by|driven by|"
    "brought by|brought on by|brought about by|due to|"
    "result from|results from|resulted from|resulting from|"
    "stem from|stems from|stemmed from|stemming from",
    Voice.PART: "part of|parts of",
    Voice.WHOLE: "consist of|consists of|consisted of|consisting of|made of|made up of|composed of",
}


_CUES: dict[str, list[Cue]] = {}
"""By first word, the longest first: "caused by" is no "caused"."""
for _cue in sorted(
    (Cue(tuple(text.split()), voice) for voice in Voice for text in _PHRASES[voice].split("|")),
    key=lambda cue: -len(cue.words),
):
    _CUES.setdefault(_cue.words[0], []).append(_cue)


def cues_in(tokens: Sequence[str]) -> Iterator[tuple[int, Cue]]:
    """Yield where cues begin, in order; the longest of each place."""
    for start, token in enumerate(tokens):
        for cue in _CUES.get(token, ()):
            if tuple(tokens[start : start + len(cue.words)]) == cue.words:
                yield start, cue
                break


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


class CueReader:
    """A sentence with what stands before and after its cues; ``places`` are concepts."""

    def __init__(self, tokens: Sequence[str], places: Sequence[ConceptSpan]) -> None:
        self._tokens = tokens
        self._begins = {place.start: place for place in places}
        self._ends = {place.end: place for place in places}

    def before(self, cue: int, voice: Voice) -> list[ConceptSpan]:
        """Return the subject that a cue has; none where it is not a concept."""
        for end in range(cue, max(-1, cue - MOST_BETWEEN - 2), -1):
            if end in self._ends:
                found = self._listed_before(self._ends[end])
                return found if self._is_subject(found, self._tokens[end:cue], voice) else []
        return []

    def after(self, cue: int) -> list[ConceptSpan]:
        """Return what a cue is about; none where it is not a concept."""
        for start in range(cue, min(cue + MOST_BETWEEN + 1, len(self._tokens))):
            place = self._begins.get(start)
            if place is not None and self._is_head(place):
                return self._listed_after(place)
            # Something done, as in "removing the lens"; "driving rain" is rain.
            acts = self._token(start).endswith("ing") and self._token(start + 1) in DETERMINERS
            if self._tokens[start] in _BOUNDS or acts:
                break
        return []

    def examples_after(self, end: int) -> list[ConceptSpan]:
        """Return what "such as" or the like names next."""
        start = end + 1 if self._token(end) == PAUSE else end
        for words in _FOR_EXAMPLE:
            if tuple(self._tokens[start : start + len(words)]) == words:
                return self.after(start + len(words))
        return []

    def is_negated(
        self, before: Sequence[ConceptSpan], after: Sequence[ConceptSpan], cue: int
    ) -> bool:
        """Return whether a word around the cue says "not"."""
        start = max(0, (before[-1].start if before else cue) - _NEGATED_BEFORE)
        end = after[0].start if after else cue
        return not _NEGATIONS.isdisjoint(self._tokens[start:end])

    def _token(self, place: int) -> str:
        """The token there; a pause outside the sentence."""
        return self._tokens[place] if 0 <= place < len(self._tokens) else PAUSE

    def _is_subject(
        self, places: Sequence[ConceptSpan], between: Sequence[str], voice: Voice
    ) -> bool:
        """Of a cue after the words between; one thing alone "is", and "are" tells of another."""
        agree = len(places) > 1 or places[0].inflected or _PLURAL.isdisjoint(between)
        if not agree or not _links(between, voice):
            return False
        # Without a comma "that" goes back to the word before it, whatever that belongs to.
        close = not (between and between[0] == PAUSE) and not _RELATIVES.isdisjoint(between)
        return close or not self._is_nested(places[-1].start)

    def _is_head(self, place: ConceptSpan) -> bool:
        """Does a phrase end there? Not with the rain of "rain clouds"; plurals modify nothing."""
        token = self._token(place.end)
        closed = token == PAUSE or token in _FUNCTION or token.endswith(_NO_NOUNS)
        return closed or place.inflected

    def _is_nested(self, start: int) -> bool:
        """Is it the end of a longer subject, as "slope" is in "the foot of the slope"?"""
        for place in range(start - 1, start - 2 - MOST_BETWEEN, -1):
            token = self._token(place)
            if token in _PREPOSITIONS:
                return not (token == "of" and self._token(place - 1) in _QUANTITIES)
            if token in DETERMINERS:
                before, quantity = self._token(place - 1), self._token(place - 2)
                return before in _PREPOSITIONS and quantity not in _QUANTITIES
            if token == PAUSE or token in _FUNCTION:
                return False
        return False

    def _listed_before(self, last: ConceptSpan) -> list[ConceptSpan]:
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

    def _listed_after(self, first: ConceptSpan) -> list[ConceptSpan]:
        """The concepts that are joined with it; commas count where an "and" closes the list."""
        found, closed = [first], 1
        while len(found) < MOST_LISTED:
            place = end = found[-1].end
            place += self._comma(place)
            joined = self._token(place) in _JOINING
            place += joined
            if place == end:
                break
            # A concept with one modifier or none, after which nothing new is said.
            starts = (place, place + 1) if self._may_modify(place) else (place,)
            members = (self._begins.get(start) for start in starts)
            member = next((each for each in members if each and self._closes(each.end)), None)
            if member is None:
                break
            found.append(member)
            closed = len(found) if joined else closed
        return found[:closed]

    def _comma(self, place: int) -> bool:
        return 0 <= place < len(self._tokens) and self._tokens[place] == PAUSE

    def _may_modify(self, place: int) -> bool:
        token = self._token(place)
        return token in DETERMINERS or (token != PAUSE and token not in _FUNCTION)

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
    rest = [word for word in words if word not in _LINKING and not word.endswith("ly")]
    if voice is Voice.ACTIVE:
        return not rest
    if voice is not Voice.PART:
        return _BE.issuperset(rest)
    # "is a", "may be the calmest": a form of "to be", and no other noun phrase begins.
    after = words[words.index(rest[0]) + 1 :] if rest else ()
    return bool(rest) and rest[0] in _BE and (_PREPOSITIONS | _JOINING).isdisjoint(after)


class Statement(NamedTuple):
    """A sentence says that ``child`` stands below ``parent``, in its tokens from start to end."""

    child: str
    parent: str
    kind: Kind
    start: int
    end: int


def statements(
    tokens: Sequence[str], places: Sequence[ConceptSpan], is_noun: IsNoun
) -> Iterator[Statement]:
    """Yield what a sentence says, cue by cue, in time in proportion to the sentence.

    Parameters
    ----------
    tokens : words in lower case, and commas.
    places : where concepts stand, apart from each other.
    is_noun : tests a token; a "debris flow" is more than a flow.
    """
    cues = list(cues_in(tokens))
    taken = {start + i for start, cue in cues for i in range(len(cue.words))}

    def is_free(place: ConceptSpan) -> bool:
        """No word of a cue, and with no noun before it that makes it something else."""
        before = place.start - 1
        modified = before >= 0 and before not in taken and is_noun(tokens[before])
        return not modified and taken.isdisjoint(range(place.start, place.end))

    reading = CueReader(tokens, list(filter(is_free, places)))
    for start, cue in cues:
        after = reading.after(start + len(cue.words))
        before = reading.before(start, cue.voice) if after else []
        if reading.is_negated(before, after, start):
            continue
        for first, second in product(before, after):
            parent, child = (first, second) if cue.parent_first else (second, first)
            if parent.label != child.label:
                yield Statement(child.label, parent.label, cue.kind, first.start, second.end)
        if cue.voice is Voice.PART and after:  # "parts of a storm such as its eye"
            whole = after[0]
            for part in reading.examples_after(whole.end):
                if part.label != whole.label:
                    yield Statement(part.label, whole.label, Kind.PART_OF, start, part.end)


# Proposals for a draft; ours. In the paper experts gave the relations that no WordNet has: what is
# induced by what.

MAX_STATED = 200
"""Relations that are taken from texts; a page may claim whatever it likes."""
_LONGEST_QUOTE = 80
_Key = tuple[str, str, Kind]
"""Child, parent, and how they are related."""


class StatedRelation(NamedTuple):
    """A relation that ``texts`` state; ``words`` are those of the first."""

    child: str
    parent: str
    kind: Kind
    words: str
    texts: int = 1

    @property
    def proposal(self) -> Proposal:
        """The proposal for the draft."""
        times = "" if self.texts == 1 else f", and {self.texts - 1} more"
        return Proposal(self.child, self.parent, self.kind, f'texts: "{self.words}"{times}')


def stated_relations(
    sources: Iterable[Source], labels: Sequence[str], rules: Rules, wordnet: WordNet
) -> list[StatedRelation]:
    """Return what the titles and bodies of English texts say, that of most texts first.

    Takes time in proportion to the texts. At most :data:`MAX_STATED`.
    """
    texts = [f"{source.title}\n{source.body or source.abstract}" for source in sources]
    finder = ConceptFinder(labels, rules)
    is_noun = _noun_words(texts, rules, wordnet)
    first: dict[_Key, str] = {}
    counts: Counter[_Key] = Counter()
    for text in texts:
        here = set()
        for sentence in sentences(text):
            # Most have no cue; only the others are searched for concepts.
            if any(cues_in(sentence.tokens)):
                places = finder.places(sentence.tokens)
                for found in statements(sentence.tokens, places, is_noun):
                    key = (found.child, found.parent, found.kind)
                    first.setdefault(key, quoted(text, sentence, found))
                    here.add(key)
        counts.update(here)
    stated = [StatedRelation(*key, words, counts[key]) for key, words in first.items()]
    return sorted(stated, key=lambda each: -each.texts)[:MAX_STATED]


def _noun_words(texts: Sequence[str], rules: Rules, wordnet: WordNet) -> IsNoun:
    """Return a test for words as they are written.

    A word that WordNet has for one thing alone is a noun, even if it stands before others only.
    """
    is_noun = noun_test(counted_votes(texts, wordnet), wordnet)

    @cache
    def test(word: str) -> bool:
        base = rules.base(word)
        if word in rules.stops or not word.isalpha():
            return False
        one = len(wordnet.nouns.concepts(base)) == 1 and not len(wordnet.verbs.concepts(base))
        return one or is_noun(base)

    return test


def quoted(text: str, sentence: Sentence, statement: Statement) -> str:
    """Return the words of a statement on one line, without what steers a terminal; long ones are
    cut.
    """
    start, end = sentence.spans[statement.start][0], sentence.spans[statement.end - 1][1]
    seen = text[start : min(end, start + 2 * _LONGEST_QUOTE)]
    words = " ".join("".join(c if c.isprintable() else " " for c in seen).split())
    if len(words) <= _LONGEST_QUOTE and end - start == len(seen):
        return words
    return f"{words[: _LONGEST_QUOTE - 3].rstrip()}..."
