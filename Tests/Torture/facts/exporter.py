"""An exporter that is killed."""
import os
import random
import select
import signal
import subprocess
import threading
import time


class KilledExporter:
    def __init__(self, server, folder, seed):
        self.server, self.folders = server, [folder]
        self.random = random.Random(seed)
        # Kills, and how many of them left the beginning of a file behind.
        self.kills = self.survived = 0
        self.thread = None

    def start(self, kills):
        self.thread = threading.Thread(target=self.run, args=[kills])
        self.thread.start()

    def process(self):
        words = ["facts", "export", "--folder", self.folders[-1], "--follow", "--every", "0",
                 "--rows", str(self.random.choice([20, 300, 5000]))]
        return subprocess.Popen([self.server.binary, *words, *self.server.options],
                                env=self.server.environment, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)

    def run(self, kills):
        while self.kills < kills:
            process = self.process()
            # Some die while they open the database, some after many files.
            idle = False
            if self.random.random() < 0.7:
                idle = not select.select([process.stdout], [], [], 3)[0]
            time.sleep(self.random.uniform(0, 0.15))
            if process.poll() is not None:
                raise SystemExit(f"the exporter ended by itself: {process.stderr.read()}")
            process.send_signal(signal.SIGKILL)
            process.communicate()
            self.kills += 1
            self.survived += os.path.exists(f"{self.folders[-1]}/.facts.part")
            if idle:  # Everything is there: the next ones write it all again.
                self.folders.append(f"{self.folders[0]}-{len(self.folders)}")

    def finish(self):
        self.thread.join()
        for folder in self.folders:
            self.server.command("facts", "export", "--folder", folder)
