"""Build the model that compares two entries as an ONNX file with 8-bit weights, from what tools/fit_pairs.py fitted.

    uv pip install numpy onnx onnxruntime safetensors
    python tools/build_pairs.py pairs.safetensors src/commonplace/providers/crossencoder

The vectors of the words are those of the embedder (they are not fitted) and stay in its file: the graph begins behind
them. Printed are the places in that file where they are found, for providers/crossencoder. Inputs of the graph: `words`
(1 x tokens x 384) and `segments` (int64, 1 x tokens; 0: the new text, 1: the old one). Output: `odds` (1 x 3) of
"different", "same" and "newer", as logits.
"""

import argparse
import logging
import tempfile
from pathlib import Path

import numpy as np
import onnx
from build_minilm import CONTRIB, HIDDEN, OPSET, GraphBuilder, encoder_layer, layer_norm, linear, quantise, sha256
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load_file

LONGEST = 64
PRODUCT_SCALE = 4.0  # as in fit_pairs.PairModel


def embeddings(graph: GraphBuilder, tensors: dict[str, np.ndarray]) -> str:
    """Sum of word, position and segment embeddings, normalised."""
    positions = graph.weight("position_table", tensors["embeddings.position_embeddings.weight"][:LONGEST])
    length = graph.add("Slice", graph.add("Shape", "segments"), graph.ints(1), graph.ints(2))
    placed = graph.add("Add", "words", graph.add("Slice", positions, graph.ints(0), length))
    kinds = graph.weight("segment_table", tensors["embeddings.token_type_embeddings.weight"])
    summed = graph.add("Add", placed, graph.add("Gather", kinds, "segments"))
    return layer_norm(graph, summed, "embeddings.LayerNorm", tensors)


def mean_of(graph: GraphBuilder, tokens: str, chosen: str) -> str:
    """The average of the token vectors of one segment."""
    weights = graph.add("Unsqueeze", chosen, graph.ints(2))
    total = graph.add("ReduceSum", graph.add("Mul", tokens, weights), graph.ints(1), keepdims=0)
    return graph.add("Div", total, graph.add("ReduceSum", weights, graph.ints(1), keepdims=0))


def head(graph: GraphBuilder, tokens: str, tensors: dict[str, np.ndarray]) -> None:
    """The first token, what the two texts differ in, what they share, and what both are about."""
    second = graph.add("Cast", "segments", to=TensorProto.FLOAT)
    first = graph.add("Sub", graph.weight("one", np.array(1.0, dtype=np.float32)), second)
    new, old = mean_of(graph, tokens, first), mean_of(graph, tokens, second)
    start = graph.add("Squeeze", graph.add("Slice", tokens, graph.ints(0), graph.ints(1), graph.ints(1)), graph.ints(1))
    scale = graph.weight("product_scale", np.array(PRODUCT_SCALE, dtype=np.float32))
    half = graph.weight("half", np.array(0.5, dtype=np.float32))
    apart = graph.add("Abs", graph.add("Sub", new, old))
    shared = graph.add("Mul", graph.add("Mul", new, old), scale)
    about = graph.add("Mul", graph.add("Add", new, old), half)
    joined = graph.add("Concat", start, apart, shared, about, axis=-1)
    hidden = graph.add("Gelu", linear(graph, joined, "hidden", tensors["hidden.weight"], tensors["hidden.bias"]))
    product = graph.add("MatMul", hidden, graph.weight("odds.weight", tensors["odds.weight"].T))
    graph.add("Add", product, graph.weight("odds.bias", tensors["odds.bias"]), output="odds")


def build_graph(tensors: dict[str, np.ndarray]) -> onnx.ModelProto:
    """Assemble the FP32 model with as many layers as were fitted."""
    graph = GraphBuilder()
    value = embeddings(graph, tensors)
    layers = 1 + max(int(name.split(".")[2]) for name in tensors if name.startswith("encoder.layer."))
    for layer in range(layers):
        value = encoder_layer(graph, value, layer, tensors)
    head(graph, value, tensors)
    for node in graph.nodes:  # one pair at a time: nothing is padded, nothing to be masked
        if node.op_type == "Attention":
            del node.input[3:]
    described = helper.make_graph(
        graph.nodes,
        "pairs",
        [
            helper.make_tensor_value_info("words", TensorProto.FLOAT, ["batch", "tokens", HIDDEN]),
            helper.make_tensor_value_info("segments", TensorProto.INT64, ["batch", "tokens"]),
        ],
        [helper.make_tensor_value_info("odds", TensorProto.FLOAT, ["batch", 3])],
        list(graph.weights.values()),
    )
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(CONTRIB, 1)]
    model = helper.make_model(described, opset_imports=opsets, ir_version=9)
    onnx.checker.check_model(model)
    return model


def find_words(embedder: Path) -> dict[str, int]:
    """Where in the embedder's file the codes of its words and their scales begin."""
    data = embedder.read_bytes()
    stored = {one.name: numpy_helper.to_array(one) for one in onnx.load_from_string(data).graph.initializer}
    places = {name: data.find(stored[name].tobytes()) for name in ("word_codes", "word_scales")}
    if min(places.values()) < 0:
        raise SystemExit(f"{embedder} does not hold the vectors of its words as they are")
    return places


def main() -> None:
    parser = argparse.ArgumentParser(description="Build the model that compares entries.")
    parser.add_argument("fitted", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--embedder", type=Path, default=Path("src/commonplace/providers/embedders/minilm/model.onnx"))
    options = parser.parse_args()
    logging.getLogger().setLevel(logging.ERROR)
    tensors = {name: array.astype(np.float32) for name, array in load_file(options.fitted).items()}
    with tempfile.TemporaryDirectory() as scratch:
        full = Path(scratch) / "pairs.fp32.onnx"
        onnx.save(build_graph(tensors), full)
        quantise(full, options.out / "pairs.onnx")
    path = options.out / "pairs.onnx"
    print(f"{sha256(path)}  {path.name}  {path.stat().st_size} bytes")
    print(find_words(options.embedder))


if __name__ == "__main__":
    main()
