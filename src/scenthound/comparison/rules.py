"""What holds for every run of a comparison, whatever the strategy."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from scenthound.core.errors import SettingsError
from scenthound.core.model import Budget, Topic
from scenthound.relevance.judge_names import SIMILARITY, check_judge
from scenthound.strategies.given_inlinks import inlinks_named, with_inlinks
from scenthound.strategies.ingredients import Recipe
from scenthound.topics.keywords_only import without_examples


@dataclass(frozen=True, slots=True)
class Rules:
    """How much every run may fetch, and how its pages are read and judged.

    Parameters
    ----------
    budget : pages, or a multiple of the labelled ones; None for ``2x``, or 1,000 without labels.
    judge, threshold : what tells relevant pages, and from which value; None to calibrate it.
    count_missing : charge the budget for links that lead out of the archive.
    pdf : are PDFs pages too?
    inlinks : how several links to a page count, in place of the strategies' own ways.
    wordnet : a WordNet folder in place of the shipped one.
    keywords_only : does no run know an example page, given or drawn?

    SettingsError or UnknownNameError for what cannot be.
    """

    budget: str | None = None
    judge: str = SIMILARITY
    threshold: float | None = None
    count_missing: bool = False
    pdf: bool = False
    inlinks: str | None = None
    wordnet: str | None = None
    keywords_only: bool = False

    def __post_init__(self) -> None:
        check_judge(self.judge)
        if self.budget is not None:
            Budget.parse(self.budget, labelled=1)
        if self.inlinks is not None:
            inlinks_named(self.inlinks)
        if self.threshold is not None and not 0.0 <= self.threshold <= 1.0:
            raise SettingsError(f"a threshold lies within 0 and 1, not at {self.threshold}.")

    def recipe(self, recipe: Recipe) -> Recipe:
        """The recipe with the inlinks asked for; as it is where all links score alike anyway."""
        try:
            return with_inlinks(recipe, self.inlinks)
        except SettingsError:
            return recipe

    def topic(self, topic: Topic) -> Topic:
        """The topic as runs know it; SettingsError where nothing would be left of it."""
        return without_examples(topic) if self.keywords_only else topic

    def to_json(self) -> dict[str, object]:
        """By name."""
        return asdict(self)
