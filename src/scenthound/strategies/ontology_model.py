"""A text model over an ontology: one that is there, or is learnt before the first fetch."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scenthound.core.model import Document
from scenthound.core.protocols import State
from scenthound.core.sharing import Tally
from scenthound.ontology.model import Concept, Kind, Ontology, Relation
from scenthound.relevance.concept_model import ConceptModel

_NOTICED_AFTER = 20
"""Pages without any concept after which somebody is told."""
Warn = Callable[[str], None]


class OntologyModel:
    """Relevance of texts by the concepts of an ontology (olmoaco Eq. 4-8).

    Parameters
    ----------
    ontology : the ontology, or how to come by it when it is needed.
    model : from an ontology to the model that reads texts by it.
    warn : is told once where no page names a concept.
    check : looks at the model before the first fetch.
    """

    def __init__(
        self,
        ontology: Ontology | Callable[[], Ontology],
        model: Callable[[Ontology], ConceptModel],
        warn: Warn,
        check: Callable[[ConceptModel], None] | None = None,
    ) -> None:
        self._check = check
        self._ontology = ontology
        self._build = model
        self._warn = warn
        self._model: ConceptModel | None = None
        self._named = 0
        self._shares = False

    @property
    def ontology(self) -> Ontology:
        """The ontology; learnt now, if it was not before."""
        if not isinstance(self._ontology, Ontology):
            self._ontology = self._ontology()
        return self._ontology

    def prepare(self) -> None:
        """Learn the ontology, where there is none; see whether it fits the topic, where it is."""
        model = self.model
        if self._check is not None:
            self._check(model)

    @property
    def model(self) -> ConceptModel:
        """What reads texts."""
        if self._model is None:
            self._model = self._built()
        return self._model

    def _built(self) -> ConceptModel:
        model = self._build(self.ontology)
        if self._shares:
            model.share()
        return model

    def share(self) -> None:
        """Keep apart from now on what is counted here; the ontology need not be there yet."""
        self._shares = True
        if self._model is not None:
            self._model.share()

    def counted_here(self) -> Tally:
        """The pages since this was last asked, and in how many each concept stood."""
        return Tally() if self._model is None else self._model.counted_here()

    def count_elsewhere(self, tally: Tally) -> None:
        """Others have counted these."""
        self.model.count_elsewhere(tally)

    def counted_by_all(self) -> Tally:
        """All pages that were counted, but for what is kept apart here."""
        return self.model.counted_by_all()

    def count_from(self, tally: Tally) -> None:
        """What all have counted, and what is kept apart here."""
        self.model.count_from(tally)

    def learn(self, document: Document) -> None:
        """A page was fetched."""
        self.model.learn(document)
        self._named += bool(self.model.named_on(document))
        if not self._named and self.model.pages == _NOTICED_AFTER:
            self._warn(
                f"none of the first {_NOTICED_AFTER} pages names a concept of the ontology "
                f"{self.ontology.name!r}, so nothing steers the crawl; look at it with: "
                "scenthound ontology show"
            )

    def similarities(self, texts: Sequence[str], page: Document) -> list[float]:
        """Of each text of the page, in [0, 1]."""
        return self.model.similarities(texts, page)

    def state(self) -> State:
        """The ontology and what was learnt of its concepts; nothing, if it is not learnt yet."""
        if self._model is None:
            return {}
        ontology = self.ontology
        return {
            "name": ontology.name,
            "topic": ontology.topic,
            "labels": list(ontology.labels),
            "origins": [concept.origin for concept in ontology.concepts],
            "relations": [[r.child, r.parent, r.kind.value] for r in ontology.relations],
            "named": self._named,
            "model": self._model.state(),
        }

    def restore(self, state: State) -> None:
        """Go on from what :meth:`state` gave: with that ontology, whatever its file says now."""
        if not state:
            return
        labels, origins, relations = state["labels"], state["origins"], state["relations"]
        topic, named, model = state["topic"], state["named"], state["model"]
        assert isinstance(labels, list) and isinstance(origins, list)
        assert isinstance(relations, list) and isinstance(named, int) and isinstance(model, dict)
        self._ontology = Ontology(
            str(state["name"]),
            tuple(Concept(str(o), str(p)) for o, p in zip(labels, origins, strict=True)),
            tuple(_relation(each) for each in relations),
            None if topic is None else str(topic),
        )
        self._named = named
        self._model = self._built()
        self._model.restore(model)


def _relation(saved: object) -> Relation:
    assert isinstance(saved, list)
    child, parent, kind = map(str, saved)
    return Relation(child, parent, Kind(kind))
