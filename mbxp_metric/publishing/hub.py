"""One commit of the files that differ from what a repository on the Hub has; none if none do."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from huggingface_hub import CommitOperationAdd, HfApi, errors

from mbxp_metric.publishing import PublishError

# Of the HTTP library, which differs with the version; the base of broken connections too.
_TRANSPORT_ERROR: type[Exception] = vars(errors)["HTTPError"]
_PREFIXES = {"model": "", "dataset": "datasets/", "space": "spaces/"}


@dataclass(frozen=True)
class Repository:
    """A repository of the Hub as it is now."""

    name: str
    kind: str
    """`model`, `dataset` or `space`."""
    head: str | None
    """Its last commit; None where there is no such repository yet."""

    def read(self, path: str) -> bytes | None:
        """The content of a file; None if it has none.

        Raises:
            PublishError: it cannot be read.
        """
        if self.head is None:
            return None
        with one_line(self.name, sent=False):
            try:
                local = HfApi().hf_hub_download(
                    self.name, path, repo_type=self.kind, revision=self.head
                )
            except errors.EntryNotFoundError:
                return None
            return Path(local).read_bytes()

    def differing(self, files: Mapping[str, bytes | Path]) -> list[str]:
        """The paths whose content is not what the repository has, without downloading it.

        Raises:
            PublishError: it cannot be asked.
        """
        if self.head is None or not files:
            return list(files)
        with one_line(self.name, sent=False):
            found = HfApi().get_paths_info(
                self.name, list(files), repo_type=self.kind, revision=self.head
            )
        known = {}
        for each in found:
            lfs = getattr(each, "lfs", None)
            known[each.path] = lfs.sha256 if lfs else getattr(each, "blob_id", "")
        return [
            path
            for path, content in files.items()
            if known.get(path) not in _digests(_bytes(content))
        ]


@dataclass(frozen=True)
class Sent:
    """What came of it."""

    url: str
    """Of the pull request or the commit; of the repository where nothing had to change."""
    changed: tuple[str, ...]


def repository(name: str, kind: str, *, must_exist: bool) -> Repository:
    """The repository as it is now.

    Raises:
        PublishError: the Hub does not answer, or there is none although there must be.
    """
    with one_line(name, sent=False):
        try:
            info = HfApi().repo_info(name, repo_type=kind)
        except errors.RepositoryNotFoundError as error:
            if must_exist or error.response.status_code != 404:
                raise
            return Repository(name, kind, None)
    return Repository(name, kind, info.sha)


def send(
    repo: Repository,
    files: Mapping[str, bytes | Path],
    message: str,
    *,
    pull_request: bool,
    private: bool = False,
    space_sdk: str | None = None,
) -> Sent:
    """Commit those of the files that differ, all or none of them.

    A pull request that is open with the same content is not made a second time. A commit is
    refused by the Hub if the repository changed since `repo` was read.

    Raises:
        PublishError: the Hub refuses or does not answer.
    """
    changed = repo.differing(files)
    address = f"{HfApi().endpoint}/{_PREFIXES[repo.kind]}{repo.name}"
    if repo.head is not None and not changed:
        return Sent(address, ())
    title = f"{message} ({_content_digest(files, changed)})"
    if pull_request and repo.head is not None:
        url = _open_pull_request(repo, title)
        if url is not None:
            return Sent(url, ())
    head = repo.head
    if head is None:
        head = _created(repo, private, space_sdk)
    operations = [
        CommitOperationAdd(path_in_repo=path, path_or_fileobj=_bytes(files[path]))
        for path in changed
    ]
    with one_line(repo.name, sent=True):
        commit = HfApi().create_commit(
            repo.name,
            operations,
            commit_message=title,
            repo_type=repo.kind,
            create_pr=pull_request and repo.head is not None,
            parent_commit=head,
        )
    return Sent(commit.pr_url or str(commit.commit_url), tuple(changed))


@contextmanager
def one_line(name: str, *, sent: bool) -> Iterator[None]:
    """Turn what the Hub's client raises into a `PublishError`; `sent` where it was a commit."""
    nothing = "nothing was changed" if sent else "nothing was sent"
    try:
        yield
    except errors.HfHubHTTPError as error:
        status = error.response.status_code
        reason = _REASONS.get(status)
        if reason is None:
            reason = "the Hub has a fault; try again later" if status >= 500 else _first_line(error)
        if sent and status >= 500:
            nothing = "the commit is there as a whole or not at all; the same command tells"
        raise PublishError(f"{name}: {reason} (HTTP {status}); {nothing}") from None
    except errors.OfflineModeIsEnabled:
        raise PublishError(f"{name}: HF_HUB_OFFLINE is set; unset it to reach the Hub") from None
    except (_TRANSPORT_ERROR, OSError) as error:
        if sent:
            nothing = "the commit is there as a whole or not at all; the same command tells"
        reason = _first_line(error) or type(error).__name__
        raise PublishError(f"{name}: the Hub cannot be reached ({reason}); {nothing}") from None


_REASONS = {
    400: "the Hub does not accept the files",
    401: "not signed in, or there is no such repository: `hf auth login`, or set HF_TOKEN",
    403: "the token may not do this; it needs the right to write",
    404: "there is no such repository, or the token may not see it",
    409: "the repository changed meanwhile; run the same command again",
    412: "the repository changed meanwhile; run the same command again",
    429: "too many requests; wait and run the same command again",
}


def _created(repo: Repository, private: bool, space_sdk: str | None) -> str | None:
    with one_line(repo.name, sent=False):
        HfApi().create_repo(
            repo.name, repo_type=repo.kind, private=private, exist_ok=True, space_sdk=space_sdk
        )
        return HfApi().repo_info(repo.name, repo_type=repo.kind).sha


def _open_pull_request(repo: Repository, title: str) -> str | None:
    with one_line(repo.name, sent=False):
        found = HfApi().get_repo_discussions(
            repo.name,
            repo_type=repo.kind,
            discussion_type="pull_request",
            discussion_status="open",
        )
        return next((each.url for each in found if each.title == title), None)


def _content_digest(files: Mapping[str, bytes | Path], changed: list[str]) -> str:
    digest = hashlib.sha256()
    for path in sorted(changed):
        digest.update(f"{path}\0".encode() + hashlib.sha256(_bytes(files[path])).digest())
    return digest.hexdigest()[:8]


def _digests(content: bytes) -> tuple[str, str]:
    """As large files are named, and as Git names others."""
    blob = b"blob %d\0" % len(content) + content
    return hashlib.sha256(content).hexdigest(), hashlib.sha1(blob).hexdigest()


def _bytes(content: bytes | Path) -> bytes:
    return content if isinstance(content, bytes) else content.read_bytes()


def _first_line(error: BaseException) -> str:
    return next((line for line in str(error).splitlines() if line.strip()), "")
