/*
 * Creates notes for slides that have none: the notes part, its relationships, and the notes master that programs
 * require. The master is created with the first notes. Notes are created only when the user types text.
 */
import { addContentType, addRelations, type Package, type PartChanges, relationsOf } from '../package/index.ts'

const prolog = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const spaces =
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
const type = (kind: string): string => `application/vnd.openxmlformats-officedocument.presentationml.${kind}+xml`

/** An empty notes body. */
export const emptyNotes = '<p:txBody><a:bodyPr/><a:lstStyle/><a:p/></p:txBody>'

const group = '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>'

interface Placeholder {
  readonly id: number
  readonly name: string
  readonly ph: string
  readonly locks: string
  readonly look?: string
  readonly body?: string
}

const placeholder = ({ id, name, ph, locks, look = '', body = '' }: Placeholder): string =>
  `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="${name}"/><p:cNvSpPr><a:spLocks ${locks}/></p:cNvSpPr><p:nvPr><p:ph ${ph}/></p:nvPr></p:nvSpPr><p:spPr>${look}</p:spPr>${body}</p:sp>`

const picture = { id: 2, name: 'Slide Image', locks: 'noGrp="1" noRot="1" noChangeAspect="1"' }
const words = { id: 3, name: 'Notes', locks: 'noGrp="1"' }

function notesXml(body: string): string {
  const shapes =
    placeholder({ ...picture, ph: 'type="sldImg"' }) + placeholder({ ...words, ph: 'type="body" idx="1"', body })
  return `${prolog}<p:notes ${spaces}><p:cSld><p:spTree>${group}${shapes}</p:spTree></p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:notes>`
}

/** The notes master: the slide image above the notes, on a page of default size. */
function masterXml(): string {
  const at = (x: number, y: number, cx: number, cy: number): string =>
    `<a:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="${cx}" cy="${cy}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom>`
  const shapes =
    placeholder({ ...picture, ph: 'type="sldImg" idx="2"', look: at(685_800, 1_143_000, 5_486_400, 3_086_100) }) +
    placeholder({
      ...{ ...words, ph: 'type="body" sz="quarter" idx="3"', look: at(685_800, 4_400_550, 5_486_400, 3_600_450) },
      body: emptyNotes,
    })
  const map =
    'bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"'
  return `${prolog}<p:notesMaster ${spaces}><p:cSld><p:bg><p:bgRef idx="1001"><a:schemeClr val="bg1"/></p:bgRef></p:bg><p:spTree>${group}${shapes}</p:spTree></p:cSld><p:clrMap ${map}/><p:notesStyle><a:lvl1pPr><a:defRPr sz="1200"/></a:lvl1pPr></p:notesStyle></p:notesMaster>`
}

/** The first unused part name. */
function free(packed: Package, changes: PartChanges, nameOf: (n: number) => string): string {
  let n = 1
  while (packed.has(nameOf(n)) || changes.has(nameOf(n))) n++
  return nameOf(n)
}

const fileOf = (part: string): string => part.slice(part.lastIndexOf('/') + 1)

/** Returns the notes master; creates it if there is none. */
function masterOf(packed: Package, changes: PartChanges, main: string): string {
  const relations = [...relationsOf(packed, main).values()]
  const known = relations.find(({ kind }) => kind === 'notesMaster')?.part
  if (known !== undefined) return known
  const part = free(packed, changes, (n) => `ppt/notesMasters/notesMaster${n}.xml`)
  changes.set(part, masterXml())
  addContentType(packed, changes, { part }, type('notesMaster'))
  const slides = relations.find(({ kind }) => kind === 'slideMaster')?.part
  const themes = relationsOf(packed, slides ?? main)
  const theme = [...themes.values()].find(({ kind }) => kind === 'theme')?.part
  if (theme !== undefined && packed.has(theme)) {
    // Each master needs its own theme part.
    const own = free(packed, changes, (n) => `ppt/theme/theme${n}.xml`)
    changes.set(own, packed.text(theme))
    addContentType(packed, changes, { part: own }, 'application/vnd.openxmlformats-officedocument.theme+xml')
    addRelations(packed, changes, part, [{ id: 'rId1', kind: 'theme', target: `../theme/${fileOf(own)}` }])
  }
  const id = 'rIdCdNotesMaster'
  addRelations(packed, changes, main, [{ id, kind: 'notesMaster', target: `notesMasters/${fileOf(part)}` }])
  const there = changes.get(main)
  const xml = typeof there === 'string' ? there : packed.text(main)
  const listed = `<p:notesMasterIdLst><p:notesMasterId xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="${id}"/></p:notesMasterIdLst>`
  // The list must follow the slide masters and precede all other elements.
  const behind = /<\/p:sldMasterIdLst>|<p:sldMasterIdLst\s*\/>/.exec(xml) ?? /<p:presentation(?:\s[^>]*)?>/.exec(xml)
  const end = behind === null ? 0 : behind.index + behind[0].length
  changes.set(main, xml.slice(0, end) + listed + xml.slice(end))
  return part
}

/** Adds a notes part for a slide to the package. */
export function addNotes(packed: Package, changes: PartChanges, main: string, slide: string, body: string): void {
  const master = masterOf(packed, changes, main)
  const part = free(packed, changes, (n) => `ppt/notesSlides/notesSlide${n}.xml`)
  changes.set(part, notesXml(body))
  addContentType(packed, changes, { part }, type('notesSlide'))
  addRelations(packed, changes, part, [
    { id: 'rId1', kind: 'notesMaster', target: `../notesMasters/${fileOf(master)}` },
    { id: 'rId2', kind: 'slide', target: `../slides/${fileOf(slide)}` },
  ])
  addRelations(packed, changes, slide, [
    { id: 'rIdCdNotes', kind: 'notesSlide', target: `../notesSlides/${fileOf(part)}` },
  ])
}
