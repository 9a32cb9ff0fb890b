"""The engines that run in this process; methods as measure.py says."""

import ctypes
import os
import time

import numpy as np

# It would report its use to its makers; it looks when it is loaded.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

# Before openvino: it keeps that from the same.
import oracle_openvino

import onnxruntime
import openvino
from onnx import TensorProto, helper, numpy_helper
from openvino import opset13


class Engine:
    """One that runs in this process: a subclass makes a function of a case."""

    def __init__(self, threads):
        self.threads = threads

    def prepare(self, case):
        self.case = case
        try:
            self.reduce = self.function_of(case)
            if self.reduce is None:
                return False
            self.last = self.reduce()
        except (RuntimeError, TypeError, onnxruntime.capi.onnxruntime_pybind11_state.Fail,
                onnxruntime.capi.onnxruntime_pybind11_state.NotImplemented,
                onnxruntime.capi.onnxruntime_pybind11_state.InvalidGraph):
            return False
        return True

    def run(self, times):
        start = time.perf_counter()
        for _ in range(times):
            self.last = self.reduce()
        return (time.perf_counter() - start) / times

    def result(self):
        return np.asarray(self.last).reshape(-1)


class Numpy(Engine):
    name = "numpy"

    def function_of(self, case):
        x, axes = case.data, case.axes
        functions = {
            "ReduceL1": lambda: np.abs(x).sum(axes, dtype=x.dtype),
            "ReduceL2": lambda: np.sqrt(np.square(x).sum(axes, dtype=x.dtype)),
            "ReduceSum": lambda: x.sum(axes, dtype=x.dtype),
            "ReduceSumSquare": lambda: np.square(x).sum(axes, dtype=x.dtype),
            "ReduceMean": lambda: x.mean(axes, dtype=x.dtype),
            "ReduceProd": lambda: x.prod(axes, dtype=x.dtype),
            "ReduceMax": lambda: x.max(axes),
            "ReduceMin": lambda: x.min(axes),
            "ReduceLogSum": lambda: np.log(x.sum(axes, dtype=x.dtype)),
            "ReduceLogSumExp": lambda: self._log_sum_exp(x, axes),
            "ArgMax": lambda: x.argmax(axes[0]),
            "ArgMin": lambda: x.argmin(axes[0]),
            "ReduceLogicalAnd": lambda: x.all(axes),
            "ReduceLogicalOr": lambda: x.any(axes),
        }
        return functions[case.operator]

    @staticmethod
    def _log_sum_exp(x, axes):
        largest = x.max(axes, keepdims=True)
        return largest.squeeze(axes) + np.log(np.exp(x - largest).sum(axes))


class OnnxRuntime(Engine):
    name = "onnxruntime"

    def function_of(self, case):
        if case.dtype == "bool" or case.operator.startswith("ReduceLogical"):
            return None
        inputs, constants, attributes = ["x"], [], {"keepdims": 0}
        # From opset 18 on LogSumExp is its function's body, which is slower.
        old = case.operator == "ReduceLogSumExp"
        opset = 17 if old else 20
        if case.operator.startswith("Arg"):
            attributes["axis"] = case.axes[0]
        elif old:
            attributes["axes"] = case.axes
        else:
            inputs.append("axes")
            constants.append(numpy_helper.from_array(np.array(case.axes), "axes"))
        element = helper.np_dtype_to_tensor_dtype(case.data.dtype)
        answer = TensorProto.INT64 if case.operator.startswith("Arg") else element
        graph = helper.make_graph(
            [helper.make_node(case.operator, inputs, ["y"], **attributes)],
            "case",
            [helper.make_tensor_value_info("x", element, case.shape)],
            [helper.make_tensor_value_info("y", answer, None)],
            constants,
        )
        model = helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8
        )
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self.threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 4
        if self.threads > 1:
            # It counts CPUs from 1; the thread that calls is none of its own.
            cpus = sorted(os.sched_getaffinity(0))[1 : self.threads]
            options.add_session_config_entry(
                "session.intra_op_thread_affinities",
                ";".join(str(cpu + 1) for cpu in cpus),
            )
        session = onnxruntime.InferenceSession(
            model.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )
        binding = session.io_binding()
        binding.bind_cpu_input("x", case.data)
        binding.bind_output("y", "cpu")

        def reduce():
            session.run_with_iobinding(binding)
            return binding.get_outputs()[0]

        return reduce

    def result(self):
        return self.last.numpy().reshape(-1)


class OpenVino(Engine):
    name = "openvino"
    _core = openvino.Core()

    def function_of(self, case):
        if case.operator not in oracle_openvino.NODES:
            return None
        element = oracle_openvino.type_of(case.dtype)
        parameter = opset13.parameter(case.shape, element)
        axes = opset13.constant(np.array(case.axes, np.int64))
        node = oracle_openvino.NODES[case.operator](parameter, axes, keep_dims=False)
        compiled = self._core.compile_model(
            openvino.Model([node], [parameter], "case"),
            "CPU",
            {
                "INFERENCE_PRECISION_HINT": openvino.Type.f32,
                "INFERENCE_NUM_THREADS": self.threads,
                "ENABLE_CPU_PINNING": True,
            },
        )
        request = compiled.create_infer_request()
        bits = case.data.view(np.uint16) if case.dtype == "bfloat16" else case.data
        shape = openvino.Shape(case.shape)
        request.set_input_tensor(openvino.Tensor(bits, shape, element))

        def reduce():
            request.infer()
            return request

        return reduce

    def result(self):
        answer = self.last.get_output_tensor()
        return oracle_openvino.array_of(answer, self.case.dtype).reshape(-1)


def _empty_at_a_line(count, dtype):
    """An array of memory as Eigen's own allocator gives it: elsewhere it computes
    the first results one by one (sums of 16 columns of float32, 512 KiB: 110 us,
    7 so).
    """
    line = 64
    memory = np.empty(count * dtype.itemsize + line, np.uint8)
    begin = -memory.ctypes.data % line
    return memory[begin : begin + count * dtype.itemsize].view(dtype)


class Eigen(Engine):
    """Its dense module, which has one thread."""

    name = "eigen"

    def __init__(self, threads, library):
        super().__init__(threads)
        self.eigen_run = ctypes.CDLL(library).eigen_run
        self.eigen_run.restype = ctypes.c_bool

    def function_of(self, case):
        if len(case.axes) != 1:
            return None
        axis = case.axes[0]
        outer = int(np.prod(case.shape[:axis], dtype=np.int64))
        inner = int(np.prod(case.shape[axis + 1 :], dtype=np.int64))
        y = _empty_at_a_line(outer * inner, case.data.dtype)
        arguments = (
            case.operator.encode(),
            case.dtype.encode(),
            ctypes.c_void_p(case.data.ctypes.data),
            ctypes.c_int64(outer),
            ctypes.c_int64(case.shape[axis]),
            ctypes.c_int64(inner),
            ctypes.c_void_p(y.ctypes.data),
        )
        self.run_times = lambda times: self.eigen_run(*arguments, ctypes.c_int64(times))
        return lambda: y if self.run_times(1) else None

    def prepare(self, case):
        return super().prepare(case) and self.last is not None

    def run(self, times):
        # By itself, as ours: a call from Python takes half a microsecond.
        start = time.perf_counter()
        self.run_times(times)
        return (time.perf_counter() - start) / times
