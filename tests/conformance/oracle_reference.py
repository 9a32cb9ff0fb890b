"""ONNX's own Python implementation of its operators as an oracle."""

import warnings

import numpy as np
from onnx.reference import ReferenceEvaluator

import onnx_models


def answer(question):
    model = onnx_models.model_of(question, onnx_models.opset_of(question))
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Of means of nothing.
        (result,) = ReferenceEvaluator(model).run(None, {"x": question.data})
    return np.asarray(result)
