"""From kernels to machine code: the compiler of the kernel language, the linker, the loader, and fast calls.

A kernel is Python source. `program.py` makes LLVM IR of it and of all that it calls: one forward pass over the syntax
tree for each function and each choice of argument types, which infers types and writes instructions at the same time.

    source.py       the syntax tree of a function, its names, and which variables need memory
    types.py        what a value can be, and which types mix
    values.py       a value while compiling: its type, its operands, and what is known of it already
    code.py         the instructions of one function
    scope.py        variables; how they are unified where paths of control flow join
    convert.py      one type from another
    operators.py    + - * / and comparisons
    fields.py       loads and stores of array elements
    views.py        `m` and `d`
    intrinsics.py   the words of the language that are not kernels: where, sqrt, load3, range, len ...
    sharing.py, user_call.py    words for memory that threads share, and for hooks
    expressions.py, statements.py, function.py    the pass itself
    program.py      all functions of one module: specialization, constants, symbols

Then `llvm.py` optimizes and makes an object, `link.py` a loadable image of it, `load.py` maps it and `call.py` makes it
a Python function. `entry.py` says what can be compiled, `build.py` compiles many units at a time, `estimate.py` knows
how long that takes, `cache.py` keeps images on disk. Only `llvm.py` imports llvmlite, and only when something has to be
compiled. `docs/concepts/language.md` defines the language.
"""
