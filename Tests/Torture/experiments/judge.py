"""The server's statistics, in a process of their own."""

import json
import subprocess
import threading


class Judge:
    def __init__(self, binary):
        self.process = subprocess.Popen(
            [binary, "experiments"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(timeout=60)

    def ask(self, questions):
        """One answer to each question, in order."""
        questions = list(questions)

        def write():
            for question in questions:
                self.process.stdin.write(json.dumps(question) + "\n")
            self.process.stdin.flush()

        writer = threading.Thread(target=write)
        writer.start()
        answers = []
        for _ in questions:
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit("the judge has ended")
            answers.append(json.loads(line))
        writer.join()
        return answers

    def looks(self, looks, shares, is_rate=True):
        """Judges experiments: looks[experiment][look][group] is users, sum, sum of squares."""
        return [answer["looks"] for answer in self.ask(
            {"shares": shares, "is_rate": is_rate, "looks": one.tolist()} for one in looks)]
