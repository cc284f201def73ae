import type { Standing } from '../checkpoint.ts';
import { isAllowed } from './allowList.ts';
import type { Global } from './symbols.ts';

/** Modules, with all below them, that run code or commands, or reach files, the network or the interpreter itself. */
const DANGEROUS_MODULES = new Set(
  `os posix nt ntpath posixpath sys subprocess pty commands popen2 runpy code codeop bdb pdb timeit cProfile profile trace
   doctest pydoc importlib imp pkgutil zipimport marshal pickle _pickle cPickle dill cloudpickle joblib shelve shutil socket
   socketserver asyncio multiprocessing concurrent _posixsubprocess ctypes _ctypes cffi mmap gc inspect types
   webbrowser urllib urllib2 http httplib httpx requests aiohttp ftplib smtplib telnetlib poplib imaplib nntplib xmlrpc ssl
   antigravity pip ensurepip venv site distutils setuptools pkg_resources idlelib lib2to3 tempfile fileinput linecache
   nturl2path _pyrepl _osx_support _aix_support _thread logging.config compileall py_compile modulefinder
   sqlite3 winreg _winreg msvcrt cgitb readline rlcompleter tkinter
   IPython pytest unittest numpy.testing numpy.f2py numpy.distutils torch.hub torch.utils.collect_env
   torch.utils.bottleneck torch.utils.cpp_extension torch.utils._config_module torch.utils.data.datapipes
   torch._inductor torch._dynamo torch.jit torch.ops torch.fx torch.testing torch.distributed.run torch.distributed.launch torch.distributed.elastic torch.multiprocessing`
    .split(/\s+/)
    .filter((name) => name !== ''),
);

const DANGEROUS_NAMES = new Set(
  `builtins.eval builtins.exec builtins.execfile builtins.compile builtins.open builtins.file builtins.input
   builtins.__import__ builtins.getattr builtins.setattr builtins.delattr builtins.globals builtins.locals builtins.vars
   builtins.breakpoint builtins.apply builtins.reload builtins.memoryview io.open io.FileIO _io.open _io.FileIO
   codecs.open bz2.open gzip.open lzma.open zipfile.ZipFile tarfile.open pathlib.Path.write_text pathlib.Path.unlink
   operator.attrgetter operator.itemgetter operator.methodcaller _operator.attrgetter _operator.itemgetter
   _operator.methodcaller functools.partial functools.reduce functools.partialmethod _functools.partial _functools.reduce
   itertools.starmap builtins.map builtins.filter numpy.load numpy.fromfile numpy.memmap pandas.read_pickle pandas.eval
   uuid._get_command_stdout torch.load torch.serialization.load torch.package.PackageImporter torch.save
   torch.classes.load_library`
    .split(/\s+/)
    .filter((name) => name !== ''),
);

/** Data of the standard library, of NumPy and of PyTorch's own layers: classes whose making does nothing else. */
const HARMLESS = new Set(
  `builtins.list builtins.tuple builtins.dict builtins.frozenset builtins.int builtins.float builtins.str builtins.bytes
   builtins.bool builtins.range builtins.slice builtins.object builtins.NoneType builtins.Ellipsis
   collections.defaultdict collections.deque copyreg._reconstructor argparse.Namespace types.SimpleNamespace
   datetime.datetime datetime.date datetime.time datetime.timedelta datetime.timezone decimal.Decimal fractions.Fraction
   pathlib.Path pathlib.PosixPath pathlib.WindowsPath pathlib.PurePath pathlib.PurePosixPath pathlib.PureWindowsPath
   pathlib._local.PosixPath pathlib._local.WindowsPath
   numpy.ndarray numpy.dtype numpy.core.multiarray._reconstruct numpy._core.multiarray._reconstruct
   numpy.core.multiarray.scalar numpy._core.multiarray.scalar numpy.core.numeric._frombuffer
   numpy._core.numeric._frombuffer numpy.random._pickle.__randomstate_ctor numpy.random._pickle.__generator_ctor
   numpy.random._pickle.__bit_generator_ctor numpy.random._mt19937.MT19937
   torch._utils._rebuild_sparse_csr_tensor torch.strided torch.sparse_coo torch.sparse_csr torch.Generator
   torch.jit._pickle.build_intlist torch.jit._pickle.build_tensorlist torch.jit._pickle.build_doublelist
   torch.jit._pickle.build_boollist torch.jit._pickle.build_tensor_from_id torch.jit._pickle.restore_type_tag
   torch.storage._load_from_bytes`
    .split(/\s+/)
    .filter((name) => name !== ''),
);
const HARMLESS_FAMILIES = [
  /^torch\.nn\.modules\.\w+\.[A-Z]\w*$/,
  /^torch\.optim\.\w+\.[A-Z]\w*$/,
  /^numpy\.dtypes\.\w+DType$/,
  /^numpy\.(bool_?|u?int(8|16|32|64)|float(16|32|64)|complex(64|128))$/,
];

/** How Python 3 calls modules that Python 2 wrote; unpicklers translate them before they import. */
const RENAMED: Readonly<Record<string, string>> = {
  __builtin__: 'builtins',
  copy_reg: 'copyreg',
  cPickle: 'pickle',
  commands: 'subprocess',
  UserDict: 'collections',
  __builtins__: 'builtins',
};

/** An import's name as Python 3 knows it. */
export function importedName({ module, name }: Pick<Global, 'module' | 'name'>): string {
  return `${RENAMED[module] ?? module}.${name}`;
}

/** What is to be thought of an import. Only what is listed is trusted. */
export function standingOf(global: Pick<Global, 'module' | 'name'>): Standing {
  const name = importedName(global);
  if (isAllowed(name)) return 'allowed';
  if (HARMLESS.has(name) || HARMLESS_FAMILIES.some((family) => family.test(name))) return 'harmless';
  return isDangerous(name, global.name) ? 'dangerous' : 'unknown';
}

function isDangerous(full: string, name: string): boolean {
  if (DANGEROUS_NAMES.has(full)) return true;
  const parts = full.split('.');
  if (parts.some((_, index) => DANGEROUS_MODULES.has(parts.slice(0, index + 1).join('.')))) return true;
  // A dotted name walks through a module's attributes: `torch.serialization` has an attribute `os`.
  const reached = name.split('.');
  if (name.includes('?') || full.startsWith('?') || full.startsWith('copyreg extension')) return true;
  return reached.some((part) => DANGEROUS_MODULES.has(part) || /^__(?!main__)\w+__$/.test(part));
}
