"""Samples from a server: OpenAI-compatible (vLLM and others), or of TGI's own interface."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from huggingface_hub import InferenceClient, constants, get_session

from mbxp_datasets import __version__
from mbxp_metric.generation.infilling import InfillingFormat
from mbxp_metric.generation.progress import Progress
from mbxp_metric.generation.prompts import Request
from mbxp_metric.generation.retrying import Concurrent, Retries
from mbxp_metric.generation.settings import GenerationError, GenerationSettings
from mbxp_metric.generation.store import SampleStore
from mbxp_metric.generation.tasks import TaskSet, all_requests

CHAT, COMPLETIONS, TGI = APIS = ("chat", "completions", "tgi")
"""`/v1/chat/completions`, `/v1/completions`, and `/` as text-generation-inference has it."""
_NO_KEY = "none"
"""Sent in place of a key: without one, huggingface_hub would send the user's own token."""
_MOST_STOPS = 4
"""More are an error for OpenAI and TGI; all are heeded when the sample is written."""
_SEEDS = 2**31
"""Some servers take no larger seed."""


@dataclass(frozen=True)
class Endpoint:
    """A model on a server, asked for one sample a request, several requests at a time.

    Where the server heeds seeds, a sample is the same in every run. Of the settings
    `max_prompt_tokens` has no effect but with `tgi`, and a completion is not ended early where
    its function ends, only where it is scored.

    Raises:
        GenerationError: the URL cannot be used, or there is no such API.
    """

    url: str
    model: str
    """As the server names it."""
    api: str = COMPLETIONS
    """One of `APIS`."""
    key: str | None = field(default=None, repr=False)
    """Sent as a bearer token; never written or shown."""
    concurrency: int = 8
    """Requests in flight."""
    timeout: float = 300
    """Seconds that an answer may take."""
    retries: Retries = field(default_factory=Retries)

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise GenerationError(f"--endpoint {self._shown_url}: http://host:port/v1 is expected")
        if parts.username or parts.password or parts.query:
            raise GenerationError(
                f"--endpoint {self._shown_url}: a URL is written down with the samples, so put no "
                "name, password or ?query into it"
            )
        if self.api not in APIS:
            raise GenerationError(f"--api {self.api}: one of {', '.join(APIS)}")
        if self.concurrency < 1 or not self.timeout > 0:
            raise GenerationError("concurrency and timeout must be above 0")

    @property
    def _shown_url(self) -> str:
        parts = urlsplit(self.url)
        return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))

    def identity(self, settings: GenerationSettings) -> dict[str, Any]:
        """What samples in one directory must share: the address may change, the model not."""
        found = {"model": self.model, "api": self.api, **settings.identity()}
        if self.api != TGI:
            found["max_prompt_tokens"] = None
        return found

    def __call__(
        self,
        requests: Iterable[Request],
        settings: GenerationSettings,
        told: Callable[[str], None] = lambda line: None,
    ) -> Iterator[tuple[Request, str]]:
        """The requests with what the model wrote, as the answers come.

        What hinders for a time (429, 408, 5xx, timeouts, connections that fail or break) is
        tried again; `told` gets a line each time. If the iteration ends early, requests that
        were not answered are given up.

        Raises:
            GenerationError: the server refuses, or fails as often as `retries` says. All
                answers that came have been yielded by then.
        """
        if constants.HF_HUB_OFFLINE:
            raise GenerationError(
                "HF_HUB_OFFLINE is set, and keeps huggingface_hub from every endpoint: unset it"
            )
        client = InferenceClient(
            base_url=self.url, api_key=self.key or _NO_KEY, timeout=self.timeout
        )

        def ask(request: Request) -> str:
            if self.api == CHAT:
                return self._chat(client, request, settings)
            if self.api == TGI:
                return self._tgi(client, request, settings)
            return self._completion(request, settings)

        secrets = (self.key,) if self.key else ()
        work = Concurrent(ask, self.concurrency, self.retries, self._shown_url, secrets, told)
        yield from work.answers(requests)

    def _chat(self, client: InferenceClient, request: Request, settings: GenerationSettings) -> str:
        messages = request.messages or ({"role": "user", "content": request.prompt},)
        options: dict[str, Any] = {
            **_stops(request),
            **self._sampling(settings, "extra_body"),
        }
        answer = client.chat_completion(
            [dict(message) for message in messages],
            model=self.model,
            max_tokens=settings.max_new_tokens,
            seed=request.seed % _SEEDS,
            temperature=settings.effective_temperature,
            **options,
        )
        return str(answer.choices[0].message.content or "")

    def _completion(self, request: Request, settings: GenerationSettings) -> str:
        # InferenceClient has no method for it, only its session.
        url = self.url.rstrip("/")
        if not url.endswith("/completions"):
            url += "/completions" if url.endswith("/v1") else "/v1/completions"
        response = get_session().post(
            url,
            headers={"Authorization": f"Bearer {self.key or _NO_KEY}"},
            timeout=self.timeout,
            json={
                "model": self.model,
                "prompt": request.prompt,
                "max_tokens": settings.max_new_tokens,
                "seed": request.seed % _SEEDS,
                "temperature": settings.effective_temperature,
                **_stops(request),
                **self._sampling(settings),
            },
        )
        response.raise_for_status()
        return str(response.json()["choices"][0]["text"])

    def _tgi(self, client: InferenceClient, request: Request, settings: GenerationSettings) -> str:
        sampling = {**_stops(request), **self._sampling(settings)}
        if not settings.greedy:
            sampling["temperature"] = settings.effective_temperature
        answer: Any = client.text_generation(
            request.prompt,
            do_sample=not settings.greedy,
            max_new_tokens=settings.max_new_tokens,
            truncate=settings.max_prompt_tokens,
            seed=request.seed % _SEEDS,
            return_full_text=False,
            **sampling,
        )
        return str(answer)

    def _sampling(self, settings: GenerationSettings, extra: str = "") -> dict[str, Any]:
        """Nothing but what restricts a draw; `top_k` is not in OpenAI's interface."""
        if settings.greedy:
            return {}
        # TGI refuses 1 as it refuses 0: both are given by leaving them out.
        found: dict[str, Any] = {} if settings.top_p == 1 else {"top_p": settings.top_p}
        if settings.top_k:
            top_k = {"top_k": settings.top_k}
            found |= {extra: top_k} if extra else top_k
        return found


def _stops(request: Request) -> dict[str, list[str]]:
    return {"stop": list(request.stops[:_MOST_STOPS])} if request.stops else {}


def generate(
    endpoint: Endpoint,
    sets: Sequence[TaskSet],
    settings: GenerationSettings,
    directory: Path,
    infilling: InfillingFormat | None = None,
    show: Callable[[Progress], None] = lambda progress: None,
    told: Callable[[str], None] = lambda line: None,
) -> Progress:
    """Ask for the samples that a directory lacks; each is on disk as soon as it came.

    Args:
        show: Called before the first request, and after each answer.
        told: Gets a line for each hindrance.

    Raises:
        GenerationError: the endpoint fails, or the directory holds something else.
        OSError: the directory cannot be written.
    """
    requests = all_requests(sets, settings, infilling, local=False)
    identity = {"infilling": infilling.template if infilling else None}
    about = {"n": settings.n, "endpoint": endpoint.url, "versions": {"mbxp": __version__}}
    with SampleStore.open(
        directory,
        {**endpoint.identity(settings), **identity},
        {each.name: each.about() for each in sets},
        about,
    ) as store:
        missing = [request for request in requests if request.key not in store]
        progress = Progress(len(missing))
        show(progress)
        for request, text in endpoint(missing, settings, told):
            store.append(request.row(text))
            progress.done += 1
            show(progress)
        store.finish(request.key for request in requests)
    return progress
