"""Where a report may be written."""

import os
import threading

from made import run
from stend.report import write_report


def test_what_is_no_file_is_written_to_and_stays_what_it_is(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write_report([run()], pipe)
    reader.join()
    assert pipe.is_fifo()
    assert "stream.triad" in read[0]
