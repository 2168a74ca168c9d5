/*
 * Converts one document to PDF with LibreOffice compiled to WebAssembly, in a process of its own (wasm-office.ts). It
 * starts LibreOffice, which takes some seconds, reads the document from its input, and answers the PDF. LibreOffice's
 * file system is in memory and contains nothing of the machine but the fonts that are put there.
 *
 * Arguments: the folder of the WebAssembly build, the fonts and substitutes as JSON ({@link Fonts}), the extension.
 */
// oxlint-disable no-underscore-dangle -- names of the engine
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay, setImmediate as yieldTurn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { fontRules } from './font-rules.ts'
import type { Fonts } from './fonts.ts'
import { officeSettings } from './office-settings.ts'

/** The functions of the build that are used here: Emscripten's file system and memory, LibreOfficeKit's entry. */
interface Engine {
  readonly FS: {
    mkdir(path: string): void
    readdir(path: string): string[]
    unlink(path: string): void
    writeFile(path: string, content: Uint8Array | string): void
    readFile(path: string): Uint8Array
    getStream: (this: unknown, descriptor: number) => unknown
  }
  readonly HEAPU8: Uint8Array
  readonly HEAP32: Int32Array
  readonly wasmTable: { get(index: number): (...args: number[]) => number }
  _malloc(size: number): number
  _libreofficekit_hook(path: number): number
  wasmBinary?: Uint8Array | undefined
}

/** The exit code for a document that LibreOffice cannot read or write. */
const refused = 3
/** Longer than the pause between two reads of a thread of LibreOffice. */
const quietMs = 150
const fontFolder = '/instdir/share/fonts/truetype'
/**
 * Fonts of the build that no common document names. LibreOffice reads all fonts when it loads the first document; the
 * four monospaced ones of DejaVu alone take 48,000 of 65,000 reads, and each may wait a millisecond (docs/adr/0300).
 */
const superfluous =
  /^(DejaVu(SansMono|\w*Condensed|Serif|SansExtra|MathTeX)|DejaVuSans-(Bold)?(Oblique|ExtraLight)|Lin(Biolinum|Libertine)|GenB|Miriam|Nachlieli|Frank|David|Scheherazade|ReemKufi|NotoKufi|Rubik|Alef|Amiri(Quran|-.*Italic)|NotoSansLisu|NotoSerif(Armenian|Georgian|Lao))/

/** How the build loads its image of files: a request that is answered from a file, at once. */
class FileRequest {
  status = 0
  readyState = 0
  responseType = ''
  response: ArrayBuffer | undefined
  onload?: () => void
  private path = ''
  open(_method: string, path: string): void {
    this.path = path
  }
  overrideMimeType(): void {}
  setRequestHeader(): void {}
  send(): void {
    const bytes = readFileSync(this.path)
    this.response = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
    this.status = 200
    this.readyState = 4
    this.onload?.()
  }
}

function load(folder: string): Promise<Engine> {
  return new Promise((resolve) => {
    const engine: Record<string, unknown> = {
      wasmBinary: readFileSync(join(folder, 'soffice.wasm')),
      preRun: [],
      locateFile: (file: string) => join(folder, file),
      print: () => {},
      printErr: () => {},
      onRuntimeInitialized: () => resolve(engine as unknown as Engine),
    }
    Object.assign(globalThis, { Module: engine, XMLHttpRequest: FileRequest, Worker })
    createRequire(import.meta.url)(join(folder, 'soffice.cjs'))
  })
}

function prepare({ FS }: Engine, fonts: Fonts): void {
  const folders = ['', '/temp', '/temp/embeddedfonts', '/temp/embeddedfonts/fromdocs', '/temp/embeddedfonts/fromsystem']
  for (const folder of [...folders, '/registry', '/registry/data'].map((one) => `/instdir/user${one}`))
    makeFolder(folder)
  for (const folder of ['/tmp', '/tmp/input', '/tmp/output']) makeFolder(folder)
  FS.writeFile('/instdir/user/registrymodifications.xcu', officeSettings())
  for (const name of FS.readdir(fontFolder)) if (superfluous.test(name)) FS.unlink(`${fontFolder}/${name}`)
  for (const path of fonts.files) FS.writeFile(`${fontFolder}/${basename(path)}`, readFileSync(path))
  FS.writeFile('/instdir/share/fontconfig/conf.d/29-cloudoc.conf', fontRules(fonts))

  function makeFolder(path: string): void {
    try {
      FS.mkdir(path)
    } catch {
      // It is there already.
    }
  }
}

/**
 * Resolves when the threads of LibreOffice have started and read their files. They read through this thread, which
 * answers at once while it waits for events, but only once in a millisecond while it waits within LibreOffice.
 */
async function settled({ FS }: Engine): Promise<void> {
  const { getStream } = FS
  let reads = 0
  FS.getStream = (descriptor) => {
    reads++
    return getStream.call(FS, descriptor)
  }
  for (let seen = -1; seen !== reads; ) {
    seen = reads
    await delay(quietMs)
  }
  FS.getStream = getStream
}

/** The PDF of a document; undefined if LibreOffice cannot read or write it. */
function convert(engine: Engine, office: number, ext: string, bytes: Uint8Array): Uint8Array | undefined {
  const text = (value: string): number => {
    const encoded = new TextEncoder().encode(`${value}\0`)
    const at = engine._malloc(encoded.length)
    engine.HEAPU8.set(encoded, at)
    return at
  }
  // A method of LibreOfficeKit: the class is the first word of an object, its functions follow a size and `destroy`.
  const method = (object: number, at: number): ((...args: number[]) => number) => {
    const word = (address: number): number => engine.HEAP32[address >> 2] ?? 0
    return engine.wasmTable.get(word(word(object) + at))
  }
  const path = `/tmp/input/document.${/^\w{1,8}$/.test(ext) ? ext.toLowerCase() : 'bin'}`
  engine.FS.writeFile(path, bytes)
  const document = method(office, 8)(office, text(path))
  if (document === 0) return undefined
  const isSaved = method(document, 8)(document, text('/tmp/output/document.pdf'), text('pdf'), text(''))
  return isSaved === 0 ? undefined : engine.FS.readFile('/tmp/output/document.pdf')
}

const [folder = '', fonts = '{"files":[],"substitutes":[]}', ext = ''] = process.argv.slice(2)
const engine = await load(folder)
// LibreOffice must not start within the event of the runtime, which starts its threads.
await yieldTurn()
engine.wasmBinary = undefined
prepare(engine, JSON.parse(fonts) as Fonts)
const program = new TextEncoder().encode('/instdir/program\0')
const at = engine._malloc(program.length)
engine.HEAPU8.set(program, at)
const office = engine._libreofficekit_hook(at)
await settled(engine)
const bytes = await buffer(process.stdin)
const pdf = office === 0 ? undefined : convert(engine, office, ext, bytes)
if (pdf === undefined) process.exit(refused)
process.stdout.end(pdf, () => process.exit(0))
