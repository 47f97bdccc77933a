"""Where the terms of a text stand, for models that read words in their company."""

from __future__ import annotations

from dataclasses import dataclass

from scenthound.text.vocabulary import Numbers


@dataclass(frozen=True, slots=True, eq=False)
class Occurrences:
    """The words of a text in order, stop words too, and every place where a term stands.

    ``terms``, ``starts`` and ``lengths`` are one number for each place: which term, at which word
    it begins, how many words it has. Single words come first, in the order of the text, then
    phrases; a phrase stands there beside its words.
    """

    words: list[str]
    terms: Numbers
    starts: Numbers
    lengths: Numbers

    def within(self, most: int) -> Occurrences:
        """The first ``most`` words, with the terms that lie wholly in them."""
        if len(self.words) <= most:
            return self
        inside = self.starts + self.lengths <= most
        return Occurrences(
            self.words[:most], self.terms[inside], self.starts[inside], self.lengths[inside]
        )
