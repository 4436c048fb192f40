"""How fast onnxruntime is on one thread, in floating point and in eight bits: `python3 onnx_speed.py NET.onnx`.

Prints a line for each batch: who, the batch, and positions a second of CPU time. Needs onnx and onnxruntime.
"""

import os
import sys
import tempfile
import time

import numpy
import onnxruntime
from onnxruntime.quantization import CalibrationDataReader, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

BATCHES = (1, 8, 64, 256)


class Positions(CalibrationDataReader):
    """Random planes on which the scales are measured."""

    def __init__(self, shape):
        numbers = numpy.random.default_rng(1).integers(0, 2, (20, 16, *shape))
        self.batches = iter(numbers.astype(numpy.float32))

    def get_next(self):
        batch = next(self.batches, None)
        return None if batch is None else {"planes": batch}


def rate(work, count, seconds=3):
    work()
    start, done = time.process_time(), 0
    while time.process_time() - start < seconds:
        work()
        done += count
    return done / (time.process_time() - start)


def session_of(path):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def main(path):
    os.sched_setaffinity(0, [max(os.sched_getaffinity(0))])
    exact = session_of(path)
    shape = exact.get_inputs()[0].shape[1:]
    with tempfile.TemporaryDirectory() as folder:
        prepared, quantised = f"{folder}/prepared.onnx", f"{folder}/int8.onnx"
        quant_pre_process(path, prepared)
        quantize_static(
            prepared,
            quantised,
            Positions(shape),
            per_channel=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
        )
        rough = session_of(quantised)
    for batch in BATCHES:
        planes = numpy.random.default_rng(2).integers(0, 2, (batch, *shape)).astype(numpy.float32)
        for name, session in (("onnxruntime", exact), ("onnxruntime-int8", rough)):
            speed = rate(lambda: session.run(None, {"planes": planes}), batch)
            print(f"{name} {batch} {speed:.0f}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
