"""The catalogue of strategies: ours and those of installed packages, what their parameters mean,
which of them accept given weights or inlink rules, and which several workers can share.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import EntryPoint
from typing import cast

from scenthound.core.command_options import INLINK_RULES
from scenthound.core.crawl_loop import Greedy
from scenthound.core.errors import (
    PluginError,
    SettingsError,
    UnknownNameError,
    describe_error,
    is_third_party,
)
from scenthound.core.model import Combination
from scenthound.core.parameters import (
    Docstring,
    Parameters,
    Value,
    keyword_parameters,
    parse_docstring,
)
from scenthound.core.protocols import Scorer, SharesTermCounts
from scenthound.core.registry import Registry, package_of
from scenthound.papers.olmoaco.ants import AntColony
from scenthound.papers.olmoaco.rivals import DifferentialEvolution, Metropolis, WebSpaceEvolution
from scenthound.similarity.link_priority import TEXTS, ModelScorer
from scenthound.strategies import text_model_builders
from scenthound.strategies.baselines import BestFirst, Fish, Oracle, Shark, Unscored
from scenthound.strategies.scent import Scent, scent
from scenthound.strategies.spec import (
    LinkWeights,
    PolicyFactory,
    ScorerFactory,
    StrategySpec,
    Uniform,
)
from scenthound.strategies.text_model_builders import TEXT_MODELS
from scenthound.strategies.weight_learning import WeightFitter
from scenthound.strategies.weighting import (
    SOFT_TEXTS,
    BalancedTexts,
    FixedWeights,
    LearnedWeights,
    LinkMapPriority,
    LinkPriority,
    TextWeighting,
)

DEFAULT_STRATEGY = "scent"
_MEAN = Combination.MEAN
_TWO = ("full", "anchor")
_ON_WORDNET = {"ssrm", "svsm", "soft-svsm", "sdvsm", "soft-sdvsm"}
"""Text models that compare words on WordNet."""


def _strategy(
    name: str, scorer: ScorerFactory, paper: str, summary: str, *,
    inlinks: Combination = Combination.MAX, policy: PolicyFactory = Greedy,
) -> StrategySpec:  # fmt: skip
    """An entry of the catalogue; its text model says which extra it needs."""
    model = scorer.model if isinstance(scorer, TextWeighting) else None
    on_wordnet = scorer is scent or (model is not None and model.name in _ON_WORDNET)
    extra = "" if model is None else model.extra
    labelled = scorer is Oracle
    return StrategySpec(name, scorer, policy, inlinks, paper, summary, labelled, on_wordnet, extra)


# Each family of text models, then the policies that do more than take the best link.
_OURS = (
    _strategy("scent", scent, "ours",
              "words and meaning of four texts of a link, with learned weights", inlinks=_MEAN),
    _strategy("breadth-first", Unscored, "svsm-mcoa, sdvsm, ssvsm, olmoaco",
              "links in the order they were found"),
    _strategy("random", Unscored, "ours",
              "any waiting link, each as likely as another", policy=Uniform),
    _strategy("best-first", BestFirst, "olmoaco (OPS)", "links of the most similar page first"),
    _strategy("vsm", FixedWeights("vsm", _TWO), "svsm-mcoa, sdvsm, ssvsm",
              "cosine of full text and anchor, best inlink"),
    _strategy("vsm-mean", FixedWeights("vsm", _TWO), "ours, after vsm",
              "the same, mean over inlinks", inlinks=_MEAN),
    _strategy("vsm-four", FixedWeights("vsm", TEXTS), "svsm-mcoa (equal weights)",
              "full text, anchor, title and context, mean over inlinks", inlinks=_MEAN),
    _strategy("ssrm", BalancedTexts("ssrm"), "svsm-mcoa, sdvsm, ssvsm",
              "WordNet similarity of full text and anchor, best inlink"),
    _strategy("ssvsm", BalancedTexts("svsm"), "ssvsm",
              "SVSM on WordNet of full text and anchor, best inlink"),
    _strategy("svsm", FixedWeights("svsm", TEXTS), "ours, rival of svsm-mcoa",
              "SVSM on all four texts, equal weights, best inlink"),
    _strategy("soft-svsm", FixedWeights("soft-svsm", SOFT_TEXTS), "ours, after ssvsm",
              "WordNet similarity that fades, mean over inlinks", inlinks=_MEAN),
    _strategy("sdvsm", BalancedTexts("sdvsm"), "sdvsm",
              "ssvsm after a disambiguation graph, best inlink"),
    _strategy("soft-sdvsm", FixedWeights("soft-sdvsm", SOFT_TEXTS), "ours, after sdvsm",
              "soft-svsm in the word senses that fit the topic", inlinks=_MEAN),
    _strategy("mcoa", LearnedWeights("vsm", TEXTS), "svsm-mcoa (CMCFC)",
              "vsm-four with weights learned in the crawl", inlinks=_MEAN),
    _strategy("svsm-mcoa", LearnedWeights("svsm", TEXTS), "svsm-mcoa",
              "svsm with weights learned in the crawl"),
    _strategy("soft-svsm-mcoa", LearnedWeights("soft-svsm", SOFT_TEXTS, prior_weight=400.0),
              "ours, after svsm-mcoa", "soft-svsm with weights learned in the crawl",
              inlinks=_MEAN),
    _strategy("word2vec", FixedWeights("word2vec", TEXTS), "bsvsm-ha",
              "SVSM on word2vec vectors, all four texts, best inlink"),
    _strategy("elmo", FixedWeights("elmo", TEXTS), "bsvsm-ha",
              "SVSM on ELMo vectors, all four texts, best inlink"),
    _strategy("bsvsm", FixedWeights("bsvsm", TEXTS), "bsvsm-ha",
              "SVSM on BERT vectors, all four texts, best inlink"),
    _strategy("bsvsm-ha", LearnedWeights("bsvsm", TEXTS), "bsvsm-ha",
              "bsvsm with weights learned in the crawl"),
    _strategy("soft-bsvsm", FixedWeights("bsvsm", SOFT_TEXTS, form="soft", context=False,
                                         floor=0.3, power=1.0),
              "ours, after bsvsm-ha", "soft-svsm on BERT vectors of words", inlinks=_MEAN),
    _strategy("sentences", FixedWeights("sentences", SOFT_TEXTS), "ours, after bsvsm-ha",
              "one MiniLM vector for each text, mean over inlinks", inlinks=_MEAN),
    _strategy("sentences-light", FixedWeights("sentences-light", SOFT_TEXTS),
              "ours, after bsvsm-ha", "the same with static vectors: fast, nothing to install",
              inlinks=_MEAN),
    _strategy("fish", Fish, "De Bra 1994, cited by olmoaco",
              "links of relevant pages first, the others die out"),
    _strategy("shark", Shark, "Hersovici 1998, cited by olmoaco",
              "inherited relevance, anchor and context"),
    _strategy("annealing", LinkPriority("vsm"), "olmoaco (SA)",
              "any waiting link, if it is good enough for the temperature", inlinks=_MEAN,
              policy=Metropolis),
    _strategy("best-first-ontology", LinkPriority("ontology"), "ours, after olmoaco",
              "anchor and page by an ontology, mean over inlinks", inlinks=_MEAN),
    _strategy("wseo", LinkMapPriority("ontology"), "olmoaco (WSEO)",
              "a bank of links that evolves by four objectives", inlinks=_MEAN,
              policy=WebSpaceEvolution),
    _strategy("moaco", LinkMapPriority("subject-words"), "olmoaco (MOACO)",
              "ants, four objectives, the keywords alone", inlinks=_MEAN, policy=AntColony),
    _strategy("olmoaco", LinkMapPriority("ontology"), "olmoaco",
              "ants, four objectives, an ontology", inlinks=_MEAN, policy=AntColony),
    _strategy("olmode", LinkMapPriority("ontology"), "ours, the future work of olmoaco",
              "differential evolution in place of the ants", inlinks=_MEAN,
              policy=DifferentialEvolution),
    _strategy("oracle", Oracle, "ours, for evaluation",
              "links to labelled pages first: needs labels"),
)  # fmt: skip
"""Each strategy: how it scores links, the paper it comes from, what it does in a few words, how
several inlinks count, and which link is next."""
CATALOGUE: Registry[StrategySpec] = Registry("strategy", _OURS)
"""The strategies of this package. :data:`STRATEGIES` adds those of installed packages."""

# Strategies of installed packages. An entry point of the group ``scenthound.strategies`` adds a
# strategy of its own name. It points to a StrategySpec, or to a function without parameters that
# returns one. Its module is imported when somebody asks for the name, not before.

GROUP = "scenthound.strategies"
RESERVED_NAMES = ("crawl", "replay", "strategy")
"""Tables of a settings file: no strategy may have one of these names."""
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")


def spec_problem(spec: StrategySpec) -> str | None:
    """Why a spec cannot be used, as the rest of a sentence; None where it can."""
    if not isinstance(spec.name, str) or not _NAME.fullmatch(spec.name):
        return "has a name that is not made of letters, digits, - and _, after a letter"
    if spec.name in RESERVED_NAMES:
        return f"is named as the table [{spec.name}] of a settings file"
    if not isinstance(spec.combination, Combination):
        return "has a combination of inlinks that is no Combination"
    try:
        parameters = spec.parameters
    except (TypeError, ValueError):  # a factory that shows no parameters
        return "has a scorer or policy that cannot be called"
    for key, value in parameters.items():
        if not isinstance(value, Value):
            return f"has the parameter {key!r} without a default that is a number, a text or a flag"
    return None


def _load_spec(point: EntryPoint) -> StrategySpec:
    """The spec that an entry point names; PluginError where it is none."""

    def unusable(problem: str) -> PluginError:
        return PluginError(
            f"the strategy {point.name!r} of {package_of(point)} {problem}; correct that package, "
            "or uninstall it."
        )

    try:
        thing = point.load()
        if not isinstance(thing, StrategySpec) and callable(thing):
            thing = thing()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # sys.exit() too: it would end the program without a word
        raise unusable(f"cannot be loaded: {describe_error(error)}") from error
    if not isinstance(thing, StrategySpec):
        raise unusable(f"is a value of type {type(thing).__name__}, not a StrategySpec")
    if thing.name != point.name:
        raise unusable(f"names its StrategySpec {thing.name!r}; one name must do for both")
    if (problem := spec_problem(thing)) is not None:
        raise unusable(problem)
    return thing


STRATEGIES: Registry[StrategySpec] = Registry("strategy", _OURS, GROUP, _load_spec)
"""Every strategy that can be asked for by name. :data:`CATALOGUE` holds ours alone."""

# What parameters mean, in the words of the code that takes them.

_SHARED = re.compile(r"^\* ``(\w+)``: (.+?)[;.?]$", re.MULTILINE | re.DOTALL)
"""A parameter that several text models share, in the docstring of their module."""


def strategy_docstring(spec: StrategySpec) -> Docstring:
    """What scorer and policy say of themselves, as one docstring."""
    components: list[Callable[..., object]] = [spec.scorer]
    if isinstance(spec.scorer, TextWeighting):
        components = [spec.scorer.model.build, spec.scorer.scorer]
    if keyword_parameters(spec.policy):
        components.append(spec.policy)
    parts = [parse_docstring(each) for each in components]
    text = "\n\n".join(part.text for part in parts)
    return Docstring(text, tuple(item for part in parts for item in part.parameters))


def parameter_descriptions(spec: StrategySpec) -> dict[str, str]:
    """What each parameter is; "see above" where the text explains it, "" where nothing does."""
    doc, modules = strategy_docstring(spec), [text_model_builders]
    if isinstance(spec.scorer, TextWeighting):
        modules.append(sys.modules[spec.scorer.model.build.__module__])
    shared = [pair for module in modules for pair in _SHARED.findall(module.__doc__ or "")]
    about = {name: " ".join(text.split()) for name, text in shared} | dict(doc.parameters)
    above = {key: "see above" for key in spec.parameters if f"``{key}``" in doc.text}
    return {key: about.get(key, above.get(key, "")) for key in spec.parameters}


# What a user may give in place of a strategy's own: link weights, and the rule for inlinks.

_FIXED_BY_WEIGHTS = ("balance", "structure")
"""Parameters that say what is weighted, and how: given weights say both."""


def text_model_name(spec: StrategySpec) -> str | None:
    """The text model whose similarities a strategy weights; None for one that takes no weights."""
    return spec.scorer.model.name if isinstance(spec.scorer, TextWeighting) else None


def check_user_weights(
    spec: StrategySpec, weights: LinkWeights | None, parameters: Parameters | None = None
) -> None:
    """Raise SettingsError where the strategy cannot use the weights; None always can.

    ``parameters`` are those that the user gives: one that the weights fix would have no effect.
    """
    if weights is None:
        return
    own, origin = text_model_name(spec), f" from {weights.origin}" if weights.origin else ""
    if weights.model is not None and weights.model not in TEXT_MODELS:
        raise UnknownNameError(f"text model in the weights{origin}:", weights.model, TEXT_MODELS)
    models = {each.name: text_model_name(each) for each in CATALOGUE.values()}
    usable = ", ".join(n for n, m in models.items() if m and weights.model in (None, m))
    if own is None or weights.model not in (None, own):
        problem = "takes no weights" if own is None else f"has the text model {own!r}"
        model = f" for the text model {weights.model!r}" if weights.model else ""
        instead = "leave them out" if own is None else f"tune again with --model {own}"
        raise SettingsError(
            f"strategy {spec.name!r} {problem}, and there are weights{origin}{model}; choose a "
            f"strategy that can use them ({usable}), or {instead}."
        )
    for key in set(_FIXED_BY_WEIGHTS) & set(parameters or ()):
        raise SettingsError(
            f"{spec.name}.{key} has no effect, as the weights{origin} say what every text weighs; "
            "give one of the two."
        )


def parse_inlink_rule(name: str) -> Combination:
    """The rule of that name; SettingsError lists the rules there are."""
    if name not in INLINK_RULES:
        raise SettingsError(f"inlinks must be {', '.join(INLINK_RULES)}, not {name!r}.")
    return Combination(name)


def with_inlink_rule(spec: StrategySpec, inlinks: str | None) -> StrategySpec:
    """The spec with this rule for inlinks; unchanged for None.

    SettingsError for a strategy where all links to a page score the same.
    """
    if inlinks is None:
        return spec
    combination = parse_inlink_rule(inlinks)
    if isinstance(spec.scorer, type) and issubclass(spec.scorer, Unscored):
        raise SettingsError(
            f"strategy {spec.name!r} scores all links to a page alike, so inlinks have no effect; "
            "choose another strategy, or leave it out."
        )
    return replace(spec, combination=combination)


# Which strategies several workers can crawl by, and what they learn together.
#
# The frontier is shared, and what fish (steps left) and shark (inherited relevance) know of a link
# is read from there. Document frequencies and counts of concepts are added up over the workers.
# One worker fits link weights to the links of all. Everything else is learned by each worker from
# its own pages, a sample of the crawl: the temperature of annealing, host records, the graph of
# sdvsm, vectors trained in the crawl. Policies that walk a map of all links need all pages.

_TRAINED = {"word2vec": "vectors", "elmo": "weights"}
"""Text models that train vectors in the crawl, unless a file is given for this parameter."""
_SHARING_METHODS = ("local_counts", "local_link_sums")
"""Methods of :class:`SharesTermCounts` and :class:`WeightFitter` that publish what was learned."""
_FITTING_METHODS = (
    "revise", "share", "local_link_sums", "fit_to", "fitted", "follow", "request_rescore",
)  # fmt: skip


def check_can_share(spec: StrategySpec) -> None:
    """SettingsError for a strategy that only one process can crawl by."""
    if spec.walks:
        raise SettingsError(
            f"strategy {spec.name!r} walks a map of all links, which several workers do not "
            "have; crawl without --redis, or choose another strategy, such as scent."
        )


def sharing_advice(spec: StrategySpec, parameters: Parameters | None = None) -> str | None:
    """What to know of a strategy that each worker learns for itself; None where nothing is."""
    if is_third_party(spec.scorer) or is_third_party(spec.policy):
        if any(hasattr(spec.scorer, name) for name in _SHARING_METHODS):
            return None
        return (
            f"strategy {spec.name!r} does not say how workers learn together: each learns from "
            "its own pages, and weights of links stay as they are at the start"
        )
    if spec.policy is Metropolis:
        return f"strategy {spec.name!r} cools in each worker as that one fetches pages"
    model = text_model_name(spec) or ""
    if model in ("sdvsm", "soft-sdvsm"):
        return f"strategy {spec.name!r} learns its graph in each worker from that one's pages"
    if model in _TRAINED and not (parameters or {}).get(_TRAINED[model]):
        return (
            f"strategy {spec.name!r} trains its vectors in each worker on that one's pages; give "
            f"a file for all with --set {_TRAINED[model]}=FILE"
        )
    return None


def term_counter(scorer: Scorer) -> SharesTermCounts | None:
    """The part of a scorer that counts documents; None where nothing does."""
    if isinstance(scorer, Scent):
        return scorer.counting
    model = scorer.model if isinstance(scorer, ModelScorer) else scorer
    return model if isinstance(model, SharesTermCounts) else None


def weight_fitter(scorer: Scorer) -> WeightFitter | None:
    """A scorer whose weights workers learn together; None for any other.

    A plug-in's scorer counts by its methods; it need not derive from :class:`WeightFitter`.
    """
    fits = all(callable(getattr(scorer, name, None)) for name in _FITTING_METHODS)
    return cast(WeightFitter, scorer) if fits else None


def list_strategies() -> list[StrategySpec]:
    """Every strategy that can be used here, ours and those of installed packages."""
    return STRATEGIES.usable()
