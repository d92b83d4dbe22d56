"""RFC 6265bis, section 5, step by step. It decides where NetKit and Python's http.cookiejar differ."""

from __future__ import annotations

import calendar
import datetime
import re
import urllib.parse
from dataclasses import dataclass, field

# The public suffixes among the domains of the cases.
SUFFIXES = {"com", "uk", "co.uk"}
LATEST = 400 * 86400
MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]


@dataclass
class Stored:
    name: str
    value: str
    domain: str
    is_host_only: bool
    path: str
    expires: float | None
    is_secure: bool
    created: int


@dataclass
class Rules:
    cookies: dict[tuple[str, str, bool, str], Stored] = field(default_factory=dict)
    number: int = 0

    def store(self, line: str, url: str, now: float) -> None:
        """Section 5.6 and 5.7."""
        parts = line.split(";")
        name, equals, value = parts[0].partition("=")
        name, value = name.strip(" \t"), value.strip(" \t")
        if not equals or not name or len(name) + len(value) > 4096:
            return
        address = urllib.parse.urlsplit(url)
        host, is_https = address.hostname or "", address.scheme == "https"
        expires = age = path = None
        domain, is_secure, same_site, names_path = "", False, "", False
        for part in parts[1:]:
            key, _, text = part.partition("=")
            key, text = key.strip(" \t").lower(), text.strip(" \t")
            if len(text) > 1024:
                continue
            if key == "expires":
                found = cookie_date(text)
                expires = expires if found is None else found
            elif key == "max-age" and re.fullmatch("-?[0-9]+", text):
                age = int(text)
            elif key == "domain":
                domain = text.removeprefix(".").lower()
            elif key == "path":
                names_path, path = True, text if text.startswith("/") else None
            elif key == "secure":
                is_secure = True
            elif key == "samesite":
                same_site = text.lower()
        ends = None
        if age is not None:
            ends = now + min(age, LATEST) if age > 0 else float("-inf")
        elif expires is not None:
            ends = min(expires, now + LATEST)
        is_host_only = not domain
        if domain in SUFFIXES:
            if domain != host:
                return
            is_host_only = True
        if domain and not matches(host, domain):
            return
        domain = domain or host
        default = address.path[: address.path.rfind("/")] or "/"
        path = path or default
        if is_secure and not is_https or same_site == "none" and not is_secure:
            return
        if not is_https:
            for old in self.cookies.values():
                overlays = matches(old.domain, domain) or matches(domain, old.domain)
                if old.is_secure and old.name == name and overlays and path_matches(path, old.path):
                    return
        is_bound = name.lower().startswith("__host-")
        if is_bound or name.lower().startswith("__secure-"):
            if not is_secure or is_bound and not (is_host_only and names_path and path == "/"):
                return
        key = (name, domain, is_host_only, path)
        old = self.cookies.pop(key, None)
        self.number += 1
        if ends is None or ends > now:
            created = old.created if old and (old.expires is None or old.expires > now) else self.number
            self.cookies[key] = Stored(name, value, domain, is_host_only, path, ends, is_secure, created)

    def sent(self, url: str, now: float) -> list[str]:
        """Section 5.8.3."""
        address = urllib.parse.urlsplit(url)
        host, path = address.hostname or "", address.path or "/"
        found = [
            cookie
            for cookie in self.cookies.values()
            if (cookie.domain == host if cookie.is_host_only else matches(host, cookie.domain))
            and path_matches(path, cookie.path)
            and (not cookie.is_secure or address.scheme == "https")
            and (cookie.expires is None or cookie.expires > now)
        ]
        found.sort(key=lambda cookie: (-len(cookie.path), cookie.created))
        return [f"{cookie.name}={cookie.value}" for cookie in found]


def matches(host: str, domain: str) -> bool:
    """Section 5.1.3."""
    is_address = host.rsplit(".", 1)[-1].isdigit()
    return host == domain or not is_address and host.endswith("." + domain)


def path_matches(path: str, prefix: str) -> bool:
    """Section 5.1.4."""
    return path == prefix or path.startswith(prefix) and (prefix.endswith("/") or path[len(prefix)] == "/")


def cookie_date(text: str) -> float | None:
    """Section 5.1.1."""
    time = day = month = year = None
    for token in re.split(r"[\t\x20-\x2f\x3b-\x40\x5b-\x60\x7b-\x7e]+", text):
        if time is None and (found := re.match(r"(\d{1,2}):(\d{1,2}):(\d{1,2})(?!\d)", token, re.ASCII)):
            time = tuple(int(part) for part in found.groups())
        elif day is None and (found := re.match(r"(\d{1,2})(?!\d)", token, re.ASCII)):
            day = int(found[1])
        elif month is None and token[:3].lower() in MONTHS:
            month = MONTHS.index(token[:3].lower()) + 1
        elif year is None and (found := re.match(r"(\d{2,4})(?!\d)", token, re.ASCII)):
            year = int(found[1])
    if time is None or day is None or month is None or year is None:
        return None
    if 70 <= year <= 99:
        year += 1900
    elif year <= 69:
        year += 2000
    if year < 1601 or time[0] > 23 or time[1] > 59 or time[2] > 59:
        return None
    try:
        moment = datetime.datetime(year, month, day, *time)
    except ValueError:
        return None
    return float(calendar.timegm(moment.timetuple()))
