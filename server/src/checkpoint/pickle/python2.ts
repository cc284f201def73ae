/**
 * Python 3 names of Python 2 modules and objects, from CPython's `Lib/_compat_pickle.py`. Its unpickler translates
 * names unless the pickle declares a protocol above 2.
 */

const MODULES = pairsIn(`
  __builtin__ builtins
  copy_reg copyreg
  Queue queue
  SocketServer socketserver
  ConfigParser configparser
  repr reprlib
  tkFileDialog tkinter.filedialog
  tkSimpleDialog tkinter.simpledialog
  tkColorChooser tkinter.colorchooser
  tkCommonDialog tkinter.commondialog
  Dialog tkinter.dialog
  Tkdnd tkinter.dnd
  tkFont tkinter.font
  tkMessageBox tkinter.messagebox
  ScrolledText tkinter.scrolledtext
  Tkconstants tkinter.constants
  Tix tkinter.tix
  ttk tkinter.ttk
  Tkinter tkinter
  markupbase _markupbase
  _winreg winreg
  thread _thread
  dummy_thread _dummy_thread
  dbhash dbm.bsd
  dumbdbm dbm.dumb
  dbm dbm.ndbm
  gdbm dbm.gnu
  xmlrpclib xmlrpc.client
  SimpleXMLRPCServer xmlrpc.server
  httplib http.client
  htmlentitydefs html.entities
  HTMLParser html.parser
  Cookie http.cookies
  cookielib http.cookiejar
  BaseHTTPServer http.server
  test.test_support test.support
  commands subprocess
  urlparse urllib.parse
  robotparser urllib.robotparser
  urllib2 urllib.request
  anydbm dbm
  _abcoll collections.abc
  cPickle pickle
  _elementtree xml.etree.ElementTree
  FileDialog tkinter.filedialog
  SimpleDialog tkinter.simpledialog
  DocXMLRPCServer xmlrpc.server
  SimpleHTTPServer http.server
  CGIHTTPServer http.server
  UserDict collections
  UserList collections
  UserString collections
  whichdb dbm
  StringIO io
  cStringIO io
`);

const NAMES = pairsIn(`
  exceptions.StandardError builtins.Exception
  __builtin__.xrange builtins.range
  __builtin__.reduce functools.reduce
  __builtin__.intern sys.intern
  __builtin__.unichr builtins.chr
  __builtin__.unicode builtins.str
  __builtin__.long builtins.int
  itertools.izip builtins.zip
  itertools.imap builtins.map
  itertools.ifilter builtins.filter
  itertools.ifilterfalse itertools.filterfalse
  itertools.izip_longest itertools.zip_longest
  UserDict.IterableUserDict collections.UserDict
  UserList.UserList collections.UserList
  UserString.UserString collections.UserString
  whichdb.whichdb dbm.whichdb
  _socket.fromfd socket.fromfd
  _multiprocessing.Connection multiprocessing.connection.Connection
  multiprocessing.process.Process multiprocessing.context.Process
  multiprocessing.forking.Popen multiprocessing.popen_fork.Popen
  urllib.ContentTooShortError urllib.error.ContentTooShortError
  urllib.getproxies urllib.request.getproxies
  urllib.pathname2url urllib.request.pathname2url
  urllib.quote_plus urllib.parse.quote_plus
  urllib.quote urllib.parse.quote
  urllib.unquote_plus urllib.parse.unquote_plus
  urllib.unquote urllib.parse.unquote
  urllib.url2pathname urllib.request.url2pathname
  urllib.urlcleanup urllib.request.urlcleanup
  urllib.urlencode urllib.parse.urlencode
  urllib.urlopen urllib.request.urlopen
  urllib.urlretrieve urllib.request.urlretrieve
  urllib2.HTTPError urllib.error.HTTPError
  urllib2.URLError urllib.error.URLError
  multiprocessing.AuthenticationError multiprocessing.context.AuthenticationError
  multiprocessing.BufferTooShort multiprocessing.context.BufferTooShort
  multiprocessing.ProcessError multiprocessing.context.ProcessError
  multiprocessing.TimeoutError multiprocessing.context.TimeoutError
  __builtin__.basestring builtins.str
  UserDict.UserDict collections.UserDict
  socket._socketobject socket.SocketType
`);

const EXCEPTIONS: ReadonlySet<string> = new Set(
  `ArithmeticError AssertionError AttributeError BaseException BufferError BytesWarning DeprecationWarning EOFError
   EnvironmentError Exception FloatingPointError FutureWarning GeneratorExit IOError ImportError ImportWarning
   IndentationError IndexError KeyError KeyboardInterrupt LookupError MemoryError NameError NotImplementedError
   OSError OverflowError PendingDeprecationWarning ReferenceError RuntimeError RuntimeWarning StopIteration
   SyntaxError SyntaxWarning SystemError SystemExit TabError TypeError UnboundLocalError UnicodeDecodeError
   UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning
   ZeroDivisionError`.split(/\s+/),
);

/** Parses lines with both spellings of a name. */
function pairsIn(table: string): ReadonlyMap<string, string> {
  return new Map(
    table
      .trim()
      .split('\n')
      .map((line) => line.trim().split(' ') as [string, string]),
  );
}

/** Returns what an unpickler's `find_class` imports for a module and a name. */
export function importedBy(module: string, name: string, protocol: number): { module: string; name: string } {
  if (protocol > 2) return { module, name };
  const renamed = NAMES.get(`${module}.${name}`);
  if (renamed !== undefined) {
    const dot = renamed.lastIndexOf('.');
    return { module: renamed.slice(0, dot), name: renamed.slice(dot + 1) };
  }
  if (module === 'exceptions' && EXCEPTIONS.has(name)) return { module: 'builtins', name };
  return { module: MODULES.get(module) ?? module, name };
}
