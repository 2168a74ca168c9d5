/*
 * Converts a co-edited Word document to a sequence of characters and pieces, and a sequence back to nodes, also if
 * concurrent edits have made it inconsistent. The node attributes come from the schema. Original nodes and marks are
 * referenced by their number in a list that is stored with the sequence; blocks are referenced by their offset in the
 * original main part. Every reader therefore interprets the sequence identically, and unchanged content is recognized.
 */
import { strFromU8, strToU8, unzlibSync, zlibSync } from 'fflate'
import { type Attrs, Fragment, type Mark, type Node, type NodeType, type Schema } from 'prosemirror-model'
import { NotEditable } from '../package/index.ts'
import { type NodeRef, type NodeSpec, type Op, type Piece, type PieceAttributes, replacedAs } from './coedit-pieces.ts'
import type { Document } from './document.ts'

/** The origin of a sequence: the main part, and the nodes and marks in it. */
interface DocumentBase {
  readonly main: string
  readonly nodes: readonly NodeSpec[]
  readonly marks: readonly NodeSpec[]
}

/** Compresses the origin for storage with the sequence. */
export const packBase = (beginning: DocumentBase): Uint8Array => zlibSync(strToU8(JSON.stringify(beginning)))

export function unpackBase(packed: Uint8Array): DocumentBase {
  try {
    return JSON.parse(strFromU8(unzlibSync(packed))) as DocumentBase
  } catch {
    throw new NotEditable('broken', 'no beginning')
  }
}

/** Attributes that are local to this page or process. */
const isOwn = (name: string): boolean => name === 'image'

/**
 * Returns the conversion between the nodes of a document and a sequence; `beginning` is the stored origin of an
 * existing sequence.
 */
export function coeditDocument(document: Document, beginning?: DocumentBase) {
  const { schema, doc } = document
  const places = document.places()
  const refs = new Map(places.map((at, ref) => [at, ref]))
  const own = new Map<string, Attrs>()

  /** The attributes of a node that differ from their defaults. */
  const spell = ({ name, spec }: NodeType | Mark['type'], attrs: Attrs): NodeSpec => {
    const said: Record<string, unknown> = {}
    for (const [key, { default: usual }] of Object.entries(spec.attrs ?? {}) as [string, { default?: unknown }][]) {
      const value: unknown = attrs[key]
      if (isOwn(key) || value === usual) continue
      const at = key === 'ref' ? places[Number(value)] : undefined
      if (at === undefined) said[key] = value
      else said['at'] = at
    }
    return [name, said]
  }
  const attrsOf = (type: NodeType | Mark['type'], [, said]: NodeSpec): Attrs => {
    const { at, ...rest } = said
    const attrs = at === undefined ? rest : { ...rest, ref: refs.get(Number(at)) ?? -1 }
    return { ...attrs, ...own.get(JSON.stringify(spell(type, { ...usualOf(type), ...attrs }))) }
  }

  const nodes: NodeSpec[] = [...(beginning?.nodes ?? [])]
  const marks: NodeSpec[] = [...(beginning?.marks ?? [])]
  const numbers = new Map<string, number>()
  const markNumbers = new Map<string, number>()
  const number = (known: Map<string, number>, all: NodeSpec[], spelled: NodeSpec): void => {
    const key = JSON.stringify(spelled)
    if (known.has(key)) return
    known.set(key, all.length)
    all.push(spelled)
  }
  nodes.forEach((spelled, n) => numbers.set(JSON.stringify(spelled), n))
  marks.forEach((spelled, n) => markNumbers.set(JSON.stringify(spelled), n))
  doc.descendants((node) => {
    if (node.isText) {
      if (beginning === undefined)
        for (const { type, attrs } of node.marks) number(markNumbers, marks, spell(type, attrs))
      return
    }
    const spelled = spell(node.type, node.attrs)
    const mine = Object.entries(node.attrs).filter(([name]) => isOwn(name))
    if (mine.length > 0) own.set(JSON.stringify(spelled), Object.fromEntries(mine))
    if (beginning === undefined) {
      number(numbers, nodes, spelled)
      for (const { type, attrs } of node.marks) number(markNumbers, marks, spell(type, attrs))
    }
  })

  const named = (node: Node): NodeRef => {
    const spelled = spell(node.type, node.attrs)
    return numbers.get(JSON.stringify(spelled)) ?? spelled
  }
  const looksOf = (node: Node): { readonly attributes?: PieceAttributes } => {
    if (node.marks.length === 0) return {}
    const looks = node.marks.map(({ type, attrs }) => {
      const spelled = spell(type, attrs)
      return [type.name, markNumbers.get(JSON.stringify(spelled)) ?? spelled[1]]
    })
    return { attributes: Object.fromEntries(looks) as PieceAttributes }
  }
  const add = (ops: Op[], node: Node): void => {
    if (node.isText) return void ops.push({ insert: node.text ?? '', ...looksOf(node) })
    if (node.isLeaf) return void ops.push({ insert: { leaf: named(node) }, ...looksOf(node) })
    if (!node.isTextblock) ops.push({ insert: { open: named(node) } })
    node.forEach((inner) => add(ops, inner))
    ops.push({ insert: node.isTextblock ? { end: named(node) } : { close: node.type.name } })
  }

  const spelledOf = (name: NodeRef): NodeSpec | undefined => (typeof name === 'number' ? nodes[name] : name)
  const marksOf = (looks: PieceAttributes | undefined): readonly Mark[] => {
    let set: readonly Mark[] = []
    for (const [name, value] of Object.entries(looks ?? {})) {
      const type = schema.marks[name]
      const spelled = typeof value === 'number' ? marks[value] : ([name, value] as NodeSpec)
      if (type !== undefined && spelled?.[0] === name) set = type.create(attrsOf(type, spelled)).addToSet(set)
    }
    return set
  }

  const reading: Reading = { schema, spelledOf, attrsOf, marksOf }
  const build = (ops: readonly Op[]): Node[] => builtNodes(ops, reading)
  const cut = (ops: readonly Op[]): Op[][] => cutOps(ops, reading)
  const docOf = (blocks: readonly Node[]): Node =>
    schema.node('doc', undefined, blocks.length > 0 ? blocks : [schema.node('paragraph')])

  return {
    beginning: (): DocumentBase => ({ main: document.main, nodes, marks }),
    ops(of: Iterable<Node>): Op[] {
      const ops: Op[] = []
      for (const node of of) add(ops, node)
      return ops
    },
    cut,
    /** Returns the blocks of one part of a sequence: one block, unless concurrent edits have broken the structure. */
    build,
    /** Converts a sequence to a document. */
    read: (ops: readonly Op[]): Node => docOf(cut(ops).flatMap(build)),
    /** Creates a document from blocks. */
    doc: docOf,
    /** Returns the minimal change from one sequence to another. */
    change: (before: readonly Op[], after: readonly Op[]): DeltaOp[] =>
      changeOf(unitsOf(before, spelledOf), unitsOf(after, spelledOf)),
  }
}

/** How the pieces of a sequence are read. */
interface Reading {
  readonly schema: Schema
  readonly spelledOf: (name: NodeRef) => NodeSpec | undefined
  readonly attrsOf: (type: NodeType, spelled: NodeSpec) => Attrs
  readonly marksOf: (looks: PieceAttributes | undefined) => readonly Mark[]
}

/**
 * Builds nodes from a part of a sequence. Nodes that are not allowed in their parent are placed after it. Parents
 * that are then empty are removed.
 */
function builtNodes(ops: readonly Op[], { schema, spelledOf, attrsOf, marksOf }: Reading): Node[] {
  const out: Node[] = []
  const open: { readonly type: NodeType; readonly attrs: Attrs; readonly inside: Node[] }[] = []
  let inline: Node[] = []
  const place = (node: Node): void => {
    const last = open.at(-1)
    if (last !== undefined) last.inside.push(node)
    else if (schema.topNodeType.contentMatch.matchType(node.type) !== null) out.push(node)
    else for (const inner of node.children) if (inner.content.size > 0) place(inner)
  }
  const endLine = (type: NodeType | undefined, attrs?: Attrs): void => {
    if (type !== undefined && type.validContent(Fragment.fromArray(inline))) place(type.create(attrs, inline))
    inline = []
  }
  const loose = (): void => {
    if (inline.length > 0) endLine(schema.nodes['paragraph'])
  }
  const closeLast = (): void => {
    loose()
    const last = open.pop()
    if (last === undefined) return
    const { type, attrs, inside } = last
    let match = type.contentMatch
    const fits: Node[] = []
    const strays: Node[] = []
    for (const node of inside) {
      const next = match.matchType(node.type)
      if (next === null) strays.push(node)
      else {
        fits.push(node)
        match = next
      }
    }
    const isFilled = match.validEnd || match.defaultType?.isTextblock === true
    const made = isFilled ? type.createAndFill(attrs, fits) : null
    if (made !== null) place(made)
    for (const node of made === null ? [...fits, ...strays] : strays) if (node.content.size > 0) place(node)
  }
  for (const { insert, attributes } of ops) {
    if (typeof insert === 'string') {
      if (insert !== '') inline.push(schema.text(insert, marksOf(attributes)))
      continue
    }
    if ('close' in insert) {
      if (!open.some(({ type }) => type.name === insert.close)) continue
      while (open.at(-1)?.type.name !== insert.close) closeLast()
      closeLast()
      continue
    }
    const other = attributes?.[replacedAs] as NodeRef | undefined
    const spelled = spelledOf(other ?? nameIn(insert) ?? -1) ?? spelledOf(nameIn(insert) ?? -1)
    const type = schema.nodes[spelled?.[0] ?? '']
    if (spelled === undefined || type === undefined || kindOf(type) !== Object.keys(insert)[0]) continue
    const attrs = attrsOf(type, spelled)
    if ('end' in insert) endLine(type, attrs)
    else if ('open' in insert) {
      loose()
      open.push({ type, attrs, inside: [] })
    } else if (type.isInline) inline.push(type.create(attrs, null, marksOf(attributes)))
    else {
      loose()
      place(type.create(attrs))
    }
  }
  while (open.length > 0) closeLast()
  loose()
  return out
}

/** Splits a sequence at the ends of its blocks. */
function cutOps(ops: readonly Op[], { schema, spelledOf }: Reading): Op[][] {
  const pieces: Op[][] = []
  const open: string[] = []
  let piece: Op[] = []
  for (const op of ops) {
    piece.push(op)
    const { insert } = op
    if (typeof insert === 'string') continue
    if ('open' in insert) {
      open.push(spelledOf(insert.open)?.[0] ?? '')
      continue
    }
    if ('close' in insert && open.includes(insert.close)) open.length = open.lastIndexOf(insert.close)
    const isLine = 'leaf' in insert && schema.nodes[spelledOf(insert.leaf)?.[0] ?? '']?.isInline !== false
    if (open.length > 0 || isLine) continue
    pieces.push(piece)
    piece = []
  }
  if (piece.length > 0) pieces.push(piece)
  return pieces
}

const usualOf = ({ spec }: NodeType | Mark['type']): Attrs =>
  Object.fromEntries(
    Object.entries((spec.attrs ?? {}) as Record<string, { default?: unknown }>).map(([key, one]) => [key, one.default]),
  )

const kindOf = (type: NodeType): string => (type.isTextblock ? 'end' : type.isLeaf ? 'leaf' : 'open')

const nameIn = (piece: Piece): NodeRef | undefined =>
  'end' in piece ? piece.end : 'leaf' in piece ? piece.leaf : 'open' in piece ? piece.open : undefined

/** The length of an op in a sequence. */
const lengthOf = ({ insert }: Op): number => (typeof insert === 'string' ? insert.length : 1)
export const totalLength = (ops: readonly Op[]): number => ops.reduce((sum, op) => sum + lengthOf(op), 0)

/** The length of a node in a sequence. */
export function positionCount(node: Node): number {
  if (node.isText || node.isLeaf) return node.nodeSize
  if (node.isTextblock) return node.content.size + 1
  let sum = 2
  node.forEach((inner) => {
    sum += positionCount(inner)
  })
  return sum
}

export interface DeltaOp {
  readonly retain?: number
  readonly delete?: number
  readonly insert?: string | Piece
  readonly attributes?: PieceAttributes
}

/** One character or piece. Units with the same `key` can be converted into each other by attributes. */
interface Unit {
  readonly key: string
  readonly insert: string | Piece
  readonly looks: PieceAttributes
  readonly said: string
  readonly length: number
}

function unitsOf(ops: readonly Op[], spelledOf: (name: NodeRef) => NodeSpec | undefined): Unit[] {
  return ops.flatMap(({ insert, attributes = {} }): Unit[] => {
    if (typeof insert === 'string') {
      const said = attributesOf(attributes)
      return Array.from(insert, (char) => ({ key: char, insert: char, looks: attributes, said, length: char.length }))
    }
    const name = nameIn(insert)
    const kind = Object.keys(insert)[0] ?? ''
    // A different leaf is a replacement, not a changed attribute.
    const key = 'leaf' in insert || name === undefined ? JSON.stringify(insert) : `${kind}\n${spelledOf(name)?.[0]}`
    const { [replacedAs]: other, ...rest } = attributes
    const looks = name === undefined || 'leaf' in insert ? rest : { ...rest, [replacedAs]: other ?? name }
    return [{ key, insert, looks, said: attributesOf(looks), length: 1 }]
  })
}

const attributesOf = (looks: PieceAttributes): string =>
  JSON.stringify(Object.entries(looks).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))

function changeOf(before: readonly Unit[], after: readonly Unit[]): DeltaOp[] {
  const isSame = (a: Unit | undefined, b: Unit | undefined): boolean =>
    a !== undefined && a.key === b?.key && a.said === b.said
  const isLike = (a: Unit | undefined, b: Unit | undefined): boolean => a !== undefined && a.key === b?.key
  const most = Math.min(before.length, after.length)
  let from = 0
  while (from < most && isSame(before[from], after[from])) from++
  let end = 0
  while (end < most - from && isSame(before.at(-1 - end), after.at(-1 - end))) end++
  let like = from
  while (like < most - end && isLike(before[like], after[like])) like++
  let likeEnd = end
  while (likeEnd < most - like && isLike(before.at(-1 - likeEnd), after.at(-1 - likeEnd))) likeEnd++

  const changes: DeltaOp[] = []
  const add = (change: DeltaOp): void => {
    const last = changes.at(-1)
    const isOne = last !== undefined && attributesOf(last.attributes ?? {}) === attributesOf(change.attributes ?? {})
    if (isOne && last.retain !== undefined && change.retain !== undefined)
      changes[changes.length - 1] = { ...last, retain: last.retain + change.retain }
    else if (isOne && typeof last.insert === 'string' && typeof change.insert === 'string')
      changes[changes.length - 1] = { ...last, insert: last.insert + change.insert }
    else changes.push(change)
  }
  const become = (a: Unit | undefined, b: Unit | undefined): void => {
    if (a === undefined || b === undefined) return
    const attributes = lookChange(a, b)
    add(attributes === undefined ? { retain: a.length } : { retain: a.length, attributes })
  }
  const sum = (units: readonly Unit[]): number => units.reduce((all, { length }) => all + length, 0)
  if (from > 0) add({ retain: sum(before.slice(0, from)) })
  for (let n = from; n < like; n++) become(before[n], after[n])
  const [gone, come] = [before.slice(like, before.length - likeEnd), after.slice(like, after.length - likeEnd)]
  const replace = (old: readonly Unit[], by: readonly Unit[]): void => {
    for (const { insert, looks } of by) {
      const { [replacedAs]: _, ...attributes } = looks
      add(Object.keys(attributes).length === 0 ? { insert } : { insert, attributes })
    }
    if (old.length > 0) add({ delete: sum(old) })
  }
  let [x, y] = [0, 0]
  for (const [a, b] of holdsOthers(gone) && holdsOthers(come) ? pairsOf(gone, come) : []) {
    replace(gone.slice(x, a), come.slice(y, b))
    become(gone[a], come[b])
    x = a + 1
    y = b + 1
  }
  replace(gone.slice(x), come.slice(y))
  for (let n = likeEnd; n > end; n--) become(before.at(-n), after.at(-n))
  return changes
}

/** Rows and cells are inserted and deleted at many positions of a table at once; text at one position. */
const holdsOthers = (units: readonly Unit[]): boolean => units.some(({ key }) => key.startsWith('open\n'))

/** With more differences than this, everything is replaced. */
const mostDifferences = 600

/** Pairs of equal units of two sequences, as many as possible: the shortest edit script (Myers, 1986). */
function pairsOf(before: readonly Unit[], after: readonly Unit[]): (readonly [number, number])[] {
  const [n, m] = [before.length, after.length]
  const ends: Int32Array[] = []
  let far = new Int32Array(3)
  const reach = (k: number, steps: number): number => {
    const isDown = k === -steps || (k !== steps && (far[k - 1 + steps] ?? 0) < (far[k + 1 + steps] ?? 0))
    return isDown ? (far[k + 1 + steps] ?? 0) : (far[k - 1 + steps] ?? 0) + 1
  }
  for (let steps = 0; steps <= Math.min(mostDifferences, n + m); steps++) {
    const next = new Int32Array(2 * steps + 3)
    for (let k = -steps; k <= steps; k += 2) {
      let x = steps === 0 ? 0 : reach(k, steps)
      while (x < n && x - k < m && before[x]?.key === after[x - k]?.key) x++
      next[k + steps + 1] = x
      if (x < n || x - k < m) continue
      ends.push(next)
      return inverseOps(ends, n, m)
    }
    ends.push(next)
    far = next
  }
  return []
}

/** The pairs on the path found. `ends` is the furthest position on each diagonal, for each number of steps. */
function inverseOps(ends: readonly Int32Array[], n: number, m: number): (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = []
  let [x, y] = [n, m]
  for (let steps = ends.length - 1; steps >= 0; steps--) {
    const k = x - y
    const far = (diagonal: number): number => ends[steps - 1]?.[diagonal + steps] ?? 0
    const isDown = k === -steps || (k !== steps && far(k - 1) < far(k + 1))
    const from = steps === 0 ? 0 : isDown ? far(k + 1) : far(k - 1) + 1
    while (x > from && y > 0) {
      x--
      y--
      pairs.push([x, y])
    }
    if (steps > 0) {
      if (isDown) y--
      else x--
    }
  }
  return pairs.reverse()
}

function lookChange(before: Unit, after: Unit): PieceAttributes | undefined {
  if (before.said === after.said) return undefined
  const attributes: Record<string, unknown> = {}
  for (const name of new Set([...Object.keys(before.looks), ...Object.keys(after.looks)])) {
    const now = after.looks[name]
    if (JSON.stringify(before.looks[name]) !== JSON.stringify(now)) attributes[name] = now ?? null
  }
  return attributes
}
