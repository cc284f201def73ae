/**
 * Imports that are known to run code or commands, or to access whatever a pickle names: files, the network, the
 * interpreter itself. An import that is missing here is not necessarily harmless: see `grammar.ts`.
 */

/** Modules, including their submodules. */
const MODULES = new Set(
  `os posix nt ntpath posixpath sys subprocess pty commands popen2 runpy code codeop bdb pdb timeit cProfile profile trace
   doctest pydoc importlib imp pkgutil zipimport marshal pickle _pickle cPickle dill cloudpickle shelve dbm shutil socket
   socketserver asyncio multiprocessing concurrent _posixsubprocess ctypes _ctypes cffi mmap gc inspect types
   webbrowser urllib urllib2 http httplib httpx requests aiohttp ftplib smtplib telnetlib poplib imaplib nntplib xmlrpc ssl
   antigravity pip ensurepip venv site distutils setuptools pkg_resources idlelib lib2to3 tempfile fileinput linecache
   nturl2path _pyrepl _osx_support _aix_support _thread compileall py_compile modulefinder
   sqlite3 _sqlite3 winreg _winreg msvcrt cgitb readline rlcompleter tkinter turtledemo
   _frozen_importlib _frozen_importlib_external _imp _io _posixshmem _winapi _xxsubinterpreters _interpreters _testcapi
   _testinternalcapi __builtins__ test signal _signal atexit threading pexpect mailcap zipapp gettext pipes nis
   faulthandler sysconfig _sysconfigdata trace wsgiref logging.config logging.handlers syslog filecmp fcntl termios
   curses crypt spwd ossaudiodev pyclbr tabnanny symtable code_context sched
   IPython ipykernel jupyter_client nbformat nbconvert matplotlib.testing pytest _pytest py unittest nose
   numpy.testing numpy.f2py numpy.distutils numpy.ctypeslib numpy.lib.npyio numpy.lib._npyio_impl numpy.lib.format
   numpy.lib._format_impl numpy.lib._datasource numpy.core.memmap numpy._core.memmap numpy.compat numpy._pytesttester
   scipy.io pandas.io pandas.core.computation cython Cython numba llvmlite
   torch.hub torch.package torch.utils.collect_env torch.utils.bottleneck torch.utils.cpp_extension
   torch.utils._config_module torch.utils.data.datapipes torch.utils.model_zoo torch.utils.benchmark
   torch.utils.hipify torch.utils.file_baton torch.utils._cpp_extension_versioner torch.utils.tensorboard
   torch._inductor torch._dynamo torch._functorch torch._export torch.export torch.onnx torch.jit torch.ops torch._ops
   torch.classes torch._classes torch.fx torch.testing torch.multiprocessing torch.library torch._library
   torch.distributed.run torch.distributed.launch torch.distributed.elastic torch.distributed.rpc
   torch.distributed.nn torch.distributed.checkpoint torch.cuda._memory_viz torch._compile
   joblib.externals joblib.memory joblib.parallel joblib.numpy_pickle_utils joblib.test
   tensorflow.python.lib tensorflow.python.framework.load_library tensorflow.python.saved_model
   keras.saving keras.src.saving keras.src.legacy.saving transformers.dynamic_module_utils
   paramiko fabric invoke sh plumbum jinja2 mako yaml jsonpickle`.split(/\s+/),
);

/** Number of parts in the longest module name. */
const DEEPEST = Math.max(...[...MODULES].map((name) => name.split('.').length));

/** Names in modules that also contain harmless ones. */
const NAMES = new Set(
  `builtins.eval builtins.exec builtins.execfile builtins.compile builtins.open builtins.file builtins.input
   builtins.raw_input builtins.__import__ builtins.getattr builtins.setattr builtins.delattr builtins.globals
   builtins.locals builtins.vars builtins.dir builtins.breakpoint builtins.apply builtins.reload builtins.memoryview
   builtins.map builtins.filter builtins.help builtins.exit builtins.quit builtins.type builtins.__build_class__
   __main__.__builtins__ io.open io.open_code io.FileIO io.OpenWrapper
   codecs.open codecs.EncodedFile bz2.open bz2.BZ2File gzip.open gzip.GzipFile lzma.open lzma.LZMAFile zipfile.ZipFile
   zipfile.PyZipFile zipfile.main tarfile.open tarfile.TarFile tarfile.main logging.FileHandler logging.basicConfig
   operator.attrgetter operator.itemgetter operator.methodcaller operator.call _operator.attrgetter _operator.itemgetter
   _operator.methodcaller _operator.call functools.partial functools.reduce functools.partialmethod
   functools.singledispatch functools.cached_property _functools.partial _functools.reduce itertools.starmap
   itertools.accumulate itertools.groupby itertools.takewhile itertools.dropwhile itertools.filterfalse
   dataclasses._create_fn dataclasses.make_dataclass collections.namedtuple typing.ForwardRef typing._eval_type
   typing.get_type_hints copyreg.add_extension copyreg.pickle copyreg.constructor copyreg.__newobj__
   copyreg.__newobj_ex__ contextlib.ExitStack weakref.finalize optparse.Values enum._make_class_unpicklable
   numpy.load numpy.save numpy.savez numpy.savez_compressed numpy.savetxt numpy.loadtxt numpy.genfromtxt numpy.fromregex
   numpy.fromfile numpy.memmap numpy.DataSource numpy.ndfromtxt numpy.mafromtxt numpy.recfromcsv numpy.recfromtxt
   numpy.core.records.fromfile numpy._core.records.fromfile numpy.core.multiarray.fromfile
   numpy._core.multiarray.fromfile numpy.rec.fromfile numpy.vectorize numpy.apply_along_axis numpy.apply_over_axes
   numpy.fromfunction numpy.frompyfunc numpy.piecewise numpy.safe_eval numpy.lib.utils.safe_eval
   pandas.eval pandas.read_pickle pandas.read_hdf pandas.read_csv pandas.read_sql pandas.read_parquet
   uuid._get_command_stdout uuid._popen uuid._ifconfig_getter uuid._ip_getter uuid._arp_getter uuid._lanscan_getter
   uuid._netstat_getter uuid._unix_getnode uuid.getnode uuid.uuid1 uuid.main
   joblib.load joblib.dump joblib.Memory joblib.Parallel joblib.numpy_pickle.load joblib.numpy_pickle.dump
   joblib.numpy_pickle_compat.load_compatibility
   torch.load torch.save torch.from_file torch.compile torch.storage.io torch.UntypedStorage.from_file
   torch.storage.UntypedStorage.from_file torch.storage.TypedStorage.from_file
   tensorflow.load_library tensorflow.load_op_library tensorflow.py_function tensorflow.numpy_function
   tensorflow.saved_model.load keras.config.enable_unsafe_deserialization`.split(/\s+/),
);

/** Methods that read or write what their object represents: a path, an array, a storage, a module. */
const METHODS = new Set(
  `write_text write_bytes read_text read_bytes touch unlink rmdir mkdir rename replace symlink_to hardlink_to link_to chmod
   lchmod open tofile dump dumps to_pickle to_csv to_hdf to_parquet to_sql save savetxt from_file _new_shared_filename
   _write_file _set_from_file _new_with_file load load_module exec_module eval query`.split(/\s+/),
);

/** Functions that return their argument, with which TorchScript marks lists and numbers. */
const TORCHSCRIPT_MARKS =
  /^torch\.jit\._pickle\.(build_(int|double|bool|tensor)list|build_tensor_from_id|restore_type_tag)$/;

/** In this module, only names that `weights_only=True` allows are harmless. */
const LOADER_MODULE = 'torch.serialization';

/**
 * True for an import that is known to do harm, or whose target is unclear: its name is computed or leads to another
 * name.
 */
export function isDangerous(module: string, name: string): boolean {
  const full = `${module}.${name}`;
  if (NAMES.has(full) || NAMES.has(full.replace(/^(__builtin__|__builtins__)\./, 'builtins.'))) return true;
  if (module === LOADER_MODULE) return true;
  if (TORCHSCRIPT_MARKS.test(full) && !name.includes('.')) return false;
  const parts = full.split('.');
  if (parts.slice(0, DEEPEST).some((_, index) => MODULES.has(parts.slice(0, index + 1).join('.')))) return true;
  if (full.includes('?') || module === 'copyreg extension') return true;
  // A dotted name is resolved through attributes: `torch.serialization` has an attribute `os`.
  const reached = name.split('.');
  if (reached.some((part) => MODULES.has(part.replace(/^_/, '')) || /^__(?!main__)\w+__$/.test(part))) return true;
  if (reached.length === 1) return false;
  return NAMES.has(reached.slice(-2).join('.')) || METHODS.has(reached.at(-1) as string);
}
