"""The indicators of the papers: their names, and what each one says."""

from __future__ import annotations

from dataclasses import dataclass

from scenthound.experiments.metrics import Indicators


@dataclass(frozen=True, slots=True)
class Named:
    """An indicator by its key in results files, its short and its long name."""

    key: str
    short: str
    name: str
    meaning: str
    whole: bool = False
    labelled: bool = False

    def of(self, row: Indicators) -> float | int | None:
        """Its value in a row; None where it is not defined."""
        value: float | int | None = row.to_json()[self.key]
        return value


INDICATORS = (
    Named("labelled_harvest", "labelled harvest", "Labelled harvest",
          "labelled pages found / pages fetched; at the end of a crawl over its whole budget",
          labelled=True),
    Named("target_recall", "recall", "Target recall",
          "labelled pages found / all labelled pages", labelled=True),
    Named("rn", "RN", "Relevant pages (RN)",
          "pages that the judge calls relevant; SP in some papers", whole=True),
    Named("hr", "HR = AC", "Harvest rate (HR = AC)",
          "relevant / fetched; some papers call it HR and others AC (accuracy): it is the same"),
    Named("as", "AS", "Similarity of relevant pages (AS)",
          "mean similarity of the relevant pages to the topic"),
    Named("ae", "AE", "Error of the priorities (AE)",
          "mean |similarity - predicted priority| of the pages with a prediction: lower is better"),
    Named("ar", "AR", "Similarity of all pages (AR)", "mean similarity of all fetched pages"),
    Named("sd", "SD", "Its deviation (SD)",
          "deviation of the similarity of all fetched pages"),
)  # fmt: skip
BY_KEY = {each.key: each for each in INDICATORS}
