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

    @property
    def kind(self) -> Kind:
        """How the child is related to its parent."""
        causes = self in (Voice.ACTIVE, Voice.PASSIVE)
        return Kind.INDUCED_BY if causes else Kind.PART_OF

    @property
    def parent_first(self) -> bool:
        """Whether the parent stands before the cue."""
        return self in (Voice.ACTIVE, Voice.WHOLE)


# The grammar, as regular expressions over the words of a sentence, each with a blank after it. A
# concept is its number in the sentence, "<2>", and inflected "<2+>".


def _any(words: str | Iterable[str]) -> str:
    """An expression for one of these words or phrases, whole, with its blank."""
    each = words.split("|") if isinstance(words, str) else sorted(words)
    return f"(?:(?:{'|'.join(map(re.escape, each))}) )"


_CUES = {
    Voice.PASSIVE: "caused by|triggered by|induced by|produced by|generated by|driven by|"
    "brought by|brought on by|brought about by|due to|"
    "result from|results from|resulted from|resulting from|"
    "stem from|stems from|stemmed from|stemming from",
    Voice.ACTIVE: "cause|causes|caused|causing|trigger|triggers|triggered|triggering|"
    "induce|induces|induced|inducing|produce|produces|produced|producing|"
    "generate|generates|generated|generating|bring|brings|brought|bringing|"
    "lead to|leads to|led to|leading to|result in|results in|resulted in|resulting in",
    Voice.PART: "part of|parts of",
    Voice.WHOLE: "consist of|consists of|consisted of|consisting of|made of|made up of|composed of",
}
"""Words that relate what stands before them to what stands after; "caused by" is no "caused"."""
CUE = re.compile(
    rf"(?<!\S)(?:{'|'.join(f'(?P<{voice.name}>{_any(cues)})' for voice, cues in _CUES.items())})"
)
MOST_LISTED = 6
"""Concepts on one side of a cue: "wind, rain and waves"."""
_BETWEEN = "{0,3}"
"""Words between a concept and a cue."""
_NEGATED_BEFORE = 2
"""Words before the first concept that may deny it: "no flood was caused by ..."."""
_PREPOSITIONS = (
    "of|in|on|at|by|for|from|with|into|onto|to|near|along|over|under|above|below|between|among|"
    "during|after|before|through|against|across|without|than|as|like|off|behind|following|despite|"
    "including|since|until|towards"
)
_BE, _RELATIVE, _JOIN, _PREPOSITION = (
    _any("is|are|was|were|be|been|being"), _any("that|which"), _any("and|or"), _any(_PREPOSITIONS),
)  # fmt: skip
_LINKING = (
    "can|may|might|could|will|would|must|does|did|has|have|had|that|which|also|often|sometimes|"
    "mostly|mainly|then|thus|always|still|again"
)
_LINK = rf"(?:{_any(_LINKING)}|\w*ly )"
"""May stand between a subject and its verb."""
_OTHERS = ",|but|who|what|it|they|them|him|her|us|back|down|up|out|away|about"
_BOUND = rf"(?:{_PREPOSITION}|{_JOIN}|{_BE}|{_any(_LINKING)}|{_any(_OTHERS)})"
"""Nothing of this stands between a cue and what it is about."""
_NEGATIONS = frozenset(
    "not no never without cannot neither nor hardly seldom rarely isn aren wasn weren doesn don "
    "didn won couldn wouldn shouldn".split()
)
_QUANTITY = _any("most|many|some|all|kinds|types|sorts|forms|risk|danger|threat")
""" "Most of the landslides" are landslides, while "the foot of the slope" is no slope."""
_DETERMINER, _FUNCTION = _any(DETERMINERS), _any(stop_words("en"))
_CONTENT = rf"(?:(?!, |{_FUNCTION})\S+ )"
_MODIFIER = rf"(?:{_DETERMINER}|{_CONTENT})"
_CONCEPT = r"(?:<\d+\+?> )"
_HEAD = rf"(?:<\d+\+> |<\d+> (?=, |{_FUNCTION}|\w*(?:ing|ed|ly) |$))"
"""The end of a phrase: not the rain of "rain clouds"; plurals modify nothing."""
_MEMBER = rf"{_MODIFIER}?{_CONCEPT}(?=, |{_JOIN}|{_PREPOSITION}|$)"
"""A concept with one modifier or none, after which nothing new is said."""
_OBJECT = re.compile(
    # Something done, as in "removing the lens", is no rain; "driving rain" is.
    rf"(?:(?!{_BOUND}|\w*ing {_DETERMINER})\S+ ){_BETWEEN}?"
    # Commas count where an "and" closes the list.
    rf"(?P<list>(?P<first>{_HEAD})(?:(?:, {_MEMBER})*(?:, )?{_JOIN}{_MEMBER})*)"
)
_EXAMPLES = re.compile(r"(?:, )?(?:such as|including|like) ")
_LINKS = {
    Voice.ACTIVE: rf"{_LINK}*",
    Voice.PASSIVE: rf"(?:{_LINK}|{_BE})*",
    Voice.WHOLE: rf"(?:{_LINK}|{_BE})*",
    # "is a", "may be the calmest": a form of "to be", and no other noun phrase begins.
    Voice.PART: rf"{_LINK}*{_BE}(?:(?!{_PREPOSITION}|{_JOIN})\w+ )*",
}
_SUBJECTS = {
    voice: re.compile(
        # A comma alone may part two clauses; before an "and" it is one of a list.
        rf"(?P<list>(?:(?:{_CONCEPT}(?:, |{_JOIN}){_MODIFIER}?)*{_CONCEPT}{_JOIN}{_MODIFIER}?)?"
        # "It hit the river, causing ..." is not about the river; "the river, which causes ..." is.
        rf"{_CONCEPT})(?P<links>(?:, (?={_RELATIVE}))?(?=(?:\S+ ){_BETWEEN}$){links})$"
    )
    for voice, links in _LINKS.items()
}
_NESTED = re.compile(
    rf"(?:^|(?<!\S)(?!{_QUANTITY})\S+ ){_PREPOSITION}{_DETERMINER}?{_CONTENT}{_BETWEEN}$"
)
"""Before the end of a longer subject, as "slope" is in "the foot of the slope"."""


def _is_subject(text: str, found: re.Match[str]) -> bool:
    """Is a list of concepts what the cue after it is about? One thing alone "is"."""
    several = found["list"].count("<") > 1 or found["list"].endswith("+> ")
    links = found["links"].split()
    if not several and not {"are", "were"}.isdisjoint(links):
        return False
    # Without a comma "that" goes back to the word before it, whatever that belongs to.
    close = PAUSE not in links and not {"that", "which"}.isdisjoint(links)
    return close or _NESTED.search(text, 0, found.start()) is None


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
    """Yield what a sentence says, cue by cue.

    Parameters
    ----------
    tokens : words in lower case, and commas.
    places : where concepts stand, apart from each other.
    is_noun : tests a token; a "debris flow" is more than a flow.
    """
    text = _with_blanks(tokens)
    taken = {
        place
        for cue in CUE.finditer(text)
        for place in range(text.count(" ", 0, cue.start()), text.count(" ", 0, cue.end()))
    }

    def is_free(place: ConceptSpan) -> bool:
        """No word of a cue, and with no noun before it that makes it something else."""
        before = place.start - 1
        modified = before >= 0 and before not in taken and is_noun(tokens[before])
        return not modified and taken.isdisjoint(range(place.start, place.end))

    free, words = list(filter(is_free, places)), list(tokens)
    for number, place in enumerate(free):
        rest = [""] * (place.end - place.start - 1)
        words[place.start : place.end] = [f"<{number}{'+' * place.inflected}>", *rest]
    text = _with_blanks(filter(None, words))

    def concepts(listed: str) -> list[ConceptSpan]:
        return [free[int(number)] for number in re.findall(r"<(\d+)", listed)]

    for cue in CUE.finditer(text):
        voice, found = Voice[cue.lastgroup or ""], _OBJECT.match(text, cue.end())
        if found is None:
            continue
        subject = _SUBJECTS[voice].search(text, 0, cue.start())
        if subject is not None and not _is_subject(text, subject):
            subject = None
        start = cue.start() if subject is None else subject.start()
        around = text[:start].split()[-_NEGATED_BEFORE:] + text[start : found.start("list")].split()
        if not _NEGATIONS.isdisjoint(around):
            continue
        after = concepts(found["list"])[:MOST_LISTED]
        before = concepts(subject["list"])[::-1][:MOST_LISTED] if subject else []
        for first, second in product(before, after):
            parent, child = (first, second) if voice.parent_first else (second, first)
            if parent.label != child.label:
                yield Statement(child.label, parent.label, voice.kind, first.start, second.end)
        examples = _EXAMPLES.match(text, found.end("first"))
        if voice is Voice.PART and examples and (named := _OBJECT.match(text, examples.end())):
            # "parts of a storm such as its eye"
            for part in concepts(named["list"])[:MOST_LISTED]:
                if part.label != after[0].label:
                    begin = after[0].start
                    yield Statement(part.label, after[0].label, Kind.PART_OF, begin, part.end)


def _with_blanks(words: Iterable[str]) -> str:
    return "".join(f"{word} " for word in words)


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
            if CUE.search(_with_blanks(sentence.tokens)):
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
