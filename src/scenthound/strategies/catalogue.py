"""The catalogue of strategies: ours and those of installed packages, what their parameters mean,
which of them accept given weights or inlink rules, and which several workers can share.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import EntryPoint

from scenthound.core.crawl import Greedy
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
from scenthound.core.protocols import Scorer, SharesTermCounts, SharesWeights
from scenthound.core.registry import (
    OpenRegistry,
    Registry,
    load_entry_point,
    package_of,
)
from scenthound.papers.olmoaco.annealing import Metropolis
from scenthound.papers.olmoaco.ants import AntColony
from scenthound.papers.olmoaco.differential_evolution import DifferentialEvolution
from scenthound.papers.olmoaco.web_space_evolution import WebSpaceEvolution
from scenthound.similarity.link_priority import TEXTS, ModelScorer
from scenthound.strategies import text_models
from scenthound.strategies.baselines import BestFirst, Fish, Oracle, Shark, Unscored
from scenthound.strategies.scent import Scent, scent
from scenthound.strategies.spec import (
    LinkWeights,
    PolicyFactory,
    ScorerFactory,
    StrategySpec,
    Uniform,
)
from scenthound.strategies.text_models import TEXT_MODELS
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
_MAX, _MEAN = Combination.MAX, Combination.MEAN
_TWO = ("full", "anchor")
_ON_WORDNET = {"ssrm", "svsm", "soft-svsm", "sdvsm", "soft-sdvsm"}
"""Text models that compare words on WordNet."""

# Each family of text models, then the policies that do more than take the best link.
_SCORERS: dict[str, tuple[ScorerFactory, PolicyFactory, Combination]] = {
    "scent": (scent, Greedy, _MEAN),
    "breadth-first": (Unscored, Greedy, _MAX),
    "random": (Unscored, Uniform, _MAX),
    "best-first": (BestFirst, Greedy, _MAX),
    "vsm": (FixedWeights("vsm", _TWO), Greedy, _MAX),
    "vsm-mean": (FixedWeights("vsm", _TWO), Greedy, _MEAN),
    "vsm-four": (FixedWeights("vsm", TEXTS), Greedy, _MEAN),
    "ssrm": (BalancedTexts("ssrm"), Greedy, _MAX),
    "ssvsm": (BalancedTexts("svsm"), Greedy, _MAX),
    "svsm": (FixedWeights("svsm", TEXTS), Greedy, _MAX),
    "soft-svsm": (FixedWeights("soft-svsm", SOFT_TEXTS), Greedy, _MEAN),
    "sdvsm": (BalancedTexts("sdvsm"), Greedy, _MAX),
    "soft-sdvsm": (FixedWeights("soft-sdvsm", SOFT_TEXTS), Greedy, _MEAN),
    "mcoa": (LearnedWeights("vsm", TEXTS), Greedy, _MEAN),
    "svsm-mcoa": (LearnedWeights("svsm", TEXTS), Greedy, _MAX),
    "soft-svsm-mcoa": (LearnedWeights("soft-svsm", SOFT_TEXTS, prior_weight=400.0), Greedy, _MEAN),
    "word2vec": (FixedWeights("word2vec", TEXTS), Greedy, _MAX),
    "elmo": (FixedWeights("elmo", TEXTS), Greedy, _MAX),
    "bsvsm": (FixedWeights("bsvsm", TEXTS), Greedy, _MAX),
    "bsvsm-ha": (LearnedWeights("bsvsm", TEXTS), Greedy, _MAX),
    "soft-bsvsm": (
        FixedWeights("bsvsm", SOFT_TEXTS, form="soft", context=False, floor=0.3, power=1.0),
        Greedy,
        _MEAN,
    ),
    "sentences": (FixedWeights("sentences", SOFT_TEXTS), Greedy, _MEAN),
    "sentences-light": (FixedWeights("sentences-light", SOFT_TEXTS), Greedy, _MEAN),
    "fish": (Fish, Greedy, _MAX),
    "shark": (Shark, Greedy, _MAX),
    "annealing": (LinkPriority("vsm"), Metropolis, _MEAN),
    "best-first-ontology": (LinkPriority("ontology"), Greedy, _MEAN),
    "wseo": (LinkMapPriority("ontology"), WebSpaceEvolution, _MEAN),
    "moaco": (LinkMapPriority("subject-words"), AntColony, _MEAN),
    "olmoaco": (LinkMapPriority("ontology"), AntColony, _MEAN),
    "olmode": (LinkMapPriority("ontology"), DifferentialEvolution, _MEAN),
    "oracle": (Oracle, Greedy, _MAX),
}
"""How each strategy scores links, which one is next, and how several inlinks count."""
_PAPERS = {
    "scent": ("ours", "words and meaning of four texts of a link, with learned weights"),
    "breadth-first": ("svsm-mcoa, sdvsm, ssvsm, olmoaco", "links in the order they were found"),
    "random": ("ours", "any waiting link, each as likely as another"),
    "best-first": ("olmoaco (OPS)", "links of the most similar page first"),
    "vsm": ("svsm-mcoa, sdvsm, ssvsm", "cosine of full text and anchor, best inlink"),
    "vsm-mean": ("ours, after vsm", "the same, mean over inlinks"),
    "vsm-four": (
        "svsm-mcoa (equal weights)",
        "full text, anchor, title and context, mean over inlinks",
    ),
    "ssrm": ("svsm-mcoa, sdvsm, ssvsm", "WordNet similarity of full text and anchor, best inlink"),
    "ssvsm": ("ssvsm", "SVSM on WordNet of full text and anchor, best inlink"),
    "svsm": ("ours, rival of svsm-mcoa", "SVSM on all four texts, equal weights, best inlink"),
    "soft-svsm": ("ours, after ssvsm", "WordNet similarity that fades, mean over inlinks"),
    "sdvsm": ("sdvsm", "ssvsm after a disambiguation graph, best inlink"),
    "soft-sdvsm": ("ours, after sdvsm", "soft-svsm in the word senses that fit the topic"),
    "mcoa": ("svsm-mcoa (CMCFC)", "vsm-four with weights learned in the crawl"),
    "svsm-mcoa": ("svsm-mcoa", "svsm with weights learned in the crawl"),
    "soft-svsm-mcoa": ("ours, after svsm-mcoa", "soft-svsm with weights learned in the crawl"),
    "word2vec": ("bsvsm-ha", "SVSM on word2vec vectors, all four texts, best inlink"),
    "elmo": ("bsvsm-ha", "SVSM on ELMo vectors, all four texts, best inlink"),
    "bsvsm": ("bsvsm-ha", "SVSM on BERT vectors, all four texts, best inlink"),
    "bsvsm-ha": ("bsvsm-ha", "bsvsm with weights learned in the crawl"),
    "soft-bsvsm": ("ours, after bsvsm-ha", "soft-svsm on BERT vectors of words"),
    "sentences": ("ours, after bsvsm-ha", "one MiniLM vector for each text, mean over inlinks"),
    "sentences-light": (
        "ours, after bsvsm-ha",
        "the same with static vectors: fast, nothing to install",
    ),
    "fish": ("De Bra 1994, cited by olmoaco", "links of relevant pages first, the others die out"),
    "shark": ("Hersovici 1998, cited by olmoaco", "inherited relevance, anchor and context"),
    "annealing": ("olmoaco (SA)", "any waiting link, if it is good enough for the temperature"),
    "best-first-ontology": (
        "ours, after olmoaco",
        "anchor and page by an ontology, mean over inlinks",
    ),
    "wseo": ("olmoaco (WSEO)", "a bank of links that evolves by four objectives"),
    "moaco": ("olmoaco (MOACO)", "ants, four objectives, the keywords alone"),
    "olmoaco": ("olmoaco", "ants, four objectives, an ontology"),
    "olmode": ("ours, the future work of olmoaco", "differential evolution in place of the ants"),
    "oracle": ("ours, for evaluation", "links to labelled pages first: needs labels"),
}
"""Where each strategy comes from, and what it does in a few words."""


def _spec(name: str) -> StrategySpec:
    """An entry of the catalogue; its text model says which extra it needs."""
    scorer, policy, rule = _SCORERS[name]
    model = scorer.model if isinstance(scorer, TextWeighting) else None
    on_wordnet = scorer is scent or (model is not None and model.name in _ON_WORDNET)
    extra = "" if model is None else model.extra
    paper, text = _PAPERS[name]
    return StrategySpec(
        name, scorer, policy, rule, paper, text, scorer is Oracle, on_wordnet, extra
    )


CATALOGUE: Registry[StrategySpec] = Registry("strategy", tuple(map(_spec, _SCORERS)))
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

    thing = load_entry_point(point, "strategy")
    if not isinstance(thing, StrategySpec) and callable(thing):
        try:
            thing = thing()
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a factory may call sys.exit()
            raise unusable(f"gives no StrategySpec: {describe_error(error)}") from error
    if not isinstance(thing, StrategySpec):
        raise unusable(f"is a value of type {type(thing).__name__}, not a StrategySpec")
    if thing.name != point.name:
        raise unusable(f"names its StrategySpec {thing.name!r}; one name must do for both")
    if (problem := spec_problem(thing)) is not None:
        raise unusable(problem)
    return thing


STRATEGIES: OpenRegistry[StrategySpec] = OpenRegistry("strategy", CATALOGUE, GROUP, _load_spec)
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
    doc, modules = strategy_docstring(spec), [text_models]
    if isinstance(spec.scorer, TextWeighting):
        modules.append(sys.modules[spec.scorer.model.build.__module__])
    shared = [pair for module in modules for pair in _SHARED.findall(module.__doc__ or "")]
    about = {name: " ".join(text.split()) for name, text in shared} | dict(doc.parameters)
    above = {key: "see above" for key in spec.parameters if f"``{key}``" in doc.text}
    return {key: about.get(key, above.get(key, "")) for key in spec.parameters}


# What a user may give in place of a strategy's own: link weights, and the rule for inlinks.

_FIXED_BY_WEIGHTS = ("balance", "structure")
"""Parameters that say what is weighted, and how: given weights say both."""
INLINK_RULES = tuple(each.value for each in Combination)


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
_SHARING_METHODS = ("counted_here", "links_here")
"""Methods of :class:`SharesTermCounts` and :class:`SharesWeights` that publish what was learned."""


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


def weight_fitter(scorer: Scorer) -> SharesWeights | None:
    """A scorer whose weights workers learn together; None for any other."""
    return scorer if isinstance(scorer, SharesWeights) else None


def list_strategies() -> list[StrategySpec]:
    """Every strategy that can be used here, ours and those of installed packages."""
    return STRATEGIES.usable()
