"""The same reports in the console: saved, opened, read on the page and as a file."""
import csv
import html
import http.cookiejar
import io
import re
import urllib.parse
import urllib.request


class Console:
    """A browser that is signed in."""

    def __init__(self, server):
        self.server = server
        self.address = f"http://127.0.0.1:{server.port}"
        self.opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
        token = re.search(r'name="token" value="([^"]+)"', self.get("/console/login")[1])[1]
        data = urllib.parse.urlencode({"email": "ada@example.org", "password": server.password,
                                       "token": token}).encode()
        self.opener.open(self.address + "/console/login", data, timeout=300).read()
        self.saved = self.forms = self.tables = 0

    def get(self, path):
        """Where it leads, and what is there."""
        answer = self.opener.open(self.address + path, timeout=300)
        return urllib.parse.urlparse(answer.url), answer.read().decode().lstrip("\ufeff")

    def compare(self, kind, question, answer, text):
        """What of a saved report differs from the answer and the CSV of the REST API, and how many
        figures were compared."""
        self.saved += 1
        report = self.server.ask("/reports/create", {
            "name": f"Report {self.saved}", "kind": kind, "question": question})["id"]
        wrong = []
        try:
            path = f"/console/reports/saved/{report}"
            if self.server.text("/reports/run", {"report_id": report}, accept="text/csv") != text:
                wrong.append("the saved report over REST is another one")
            if self.get(f"{path}/file/csv")[1] != text:
                wrong.append("the file of the saved report is another one")
            place, page = self.get(path)
            rows = list(csv.reader(io.StringIO(text)))
            if place.path != path:
                self.forms += 1
                wrong += self.form(kind, answer, rows, page)
            else:
                self.tables += 1
                shown = self.table(page)
                # A file keeps spreadsheets from taking a text for a formula; a page need not.
                plain = [[re.sub(r"^'(?=[=+@-])", "", cell) for cell in row] for row in rows]
                if shown != plain:
                    pairs = [pair for pair in zip(shown, plain) if pair[0] != pair[1]]
                    wrong.append(f"the page's table has {len(shown)} rows for {len(plain)}: {pairs[:2]}")
            return wrong, sum(map(len, rows))
        finally:
            self.server.ask("/reports/delete", {"report_id": report})

    def form(self, kind, answer, rows, page):
        """The page of the report with its form, and the file that it leads to."""
        wrong = []
        link = re.search(r'href="(/console/reports/files/[^"]+)"', page)
        if link:
            found = list(csv.reader(io.StringIO(self.get(html.unescape(link[1]))[1])))
            if self.nameless(found) != self.nameless(rows):
                wrong.append(f"the page's file {found[:3]} for {rows[:3]}")
        elif kind != "control_group":
            wrong.append("the page leads to no file")
        said = [cell.replace(",", "") for cell in
                re.findall(r'<td class="right figure"[^>]*>([^<]*)</td>', page)]
        if kind == "funnel" and answer["steps"][0]["users"]:
            users = [str(step["users"]) for step in answer["steps"]]
            if said[:3 * len(users):3] != users:
                wrong.append(f"the page says {said} for {users}")
        if kind == "control_group":
            users = [str(group["users"]) for group in answer["measures"][0]["groups"]]
            if said[:6:3] != users:
                wrong.append(f"the page says {said} for {users}")
        return wrong

    @staticmethod
    def nameless(rows):
        """Without what groups are called, which the console says in words."""
        places = [place for place, name in enumerate(rows[0]) if name != "group"]
        return [[row[place] for place in places] for row in rows]

    @staticmethod
    def table(page):
        """The table of a report that its form cannot say."""
        found = re.search(r"<table>(.*?)</table>", page, re.DOTALL)
        rows = re.findall(r"<tr>(.*?)</tr>", found[1] if found else "", re.DOTALL)
        return [[html.unescape(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)]
                for row in rows]
