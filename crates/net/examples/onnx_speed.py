"""How fast onnxruntime is on one thread, in floating point and in eight bits: `python3 onnx_speed.py NET.onnx`.

Beside the network lie the positions on which its scales are measured, NET.planes: their planes as numbers of 32 bits. Weights
have a scale for each output channel. Of the two forms of a network in eight bits, with operators of integers and with
conversions around those of floating point, the faster one counts, batch by batch.

Prints a line for each batch: who, the batch, and positions a second of CPU time. Needs onnx and onnxruntime.
"""

import os
import sys
import tempfile
import time

import numpy
import onnxruntime
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

BATCHES = (1, 8, 64, 256)


class Positions(CalibrationDataReader):
    """The positions on which the scales are measured, in batches."""

    def __init__(self, path, shape):
        planes = numpy.fromfile(path, numpy.float32).reshape(-1, *shape)
        self.batches = iter(numpy.array_split(planes, len(planes) // 16))

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
        prepared = f"{folder}/prepared.onnx"
        # Only the size of the batch is variable, which needs no symbolic shape inference.
        quant_pre_process(path, prepared, skip_symbolic_shape=True)

        def quantised(form):
            """The network in eight bits, in one form."""
            file = f"{folder}/{form}.onnx"
            quantize_static(
                prepared,
                file,
                Positions(os.path.splitext(path)[0] + ".planes", shape),
                quant_format=form,
                per_channel=True,
                activation_type=QuantType.QUInt8,
                weight_type=QuantType.QInt8,
            )
            return session_of(file)

        rough = [quantised(form) for form in QuantFormat]
    for batch in BATCHES:
        planes = numpy.random.default_rng(2).integers(0, 2, (batch, *shape)).astype(numpy.float32)
        for name, sessions in (("onnxruntime", [exact]), ("onnxruntime-int8", rough)):
            speed = max(rate(lambda: session.run(None, {"planes": planes}), batch) for session in sessions)
            print(f"{name} {batch} {speed:.0f}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
