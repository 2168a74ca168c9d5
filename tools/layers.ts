// Checks the allowed import directions of layers.json. Regular expressions are sufficient: our imports have one form.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path/posix'

interface Layer {
  /** Layers that this one may import besides itself; a named layer includes the layers below it. */
  readonly may: readonly string[]
  /** External packages that it may import; absent: any. */
  readonly libraries?: readonly string[]
  readonly why?: string
}

/** The content of layers.json. Paths are relative to the repository, with forward slashes. */
export interface Layers {
  readonly layers: Readonly<Record<string, Layer>>
  /**
   * The depth of modules below a folder: 0 for the folder itself, 1 for its folders (areas), 2 for theirs (features).
   */
  readonly modules: Readonly<Record<string, number>>
  /**
   * The rooms (modules) of an area, by folder, each with the rooms that it may import. Files beside them join the area:
   * they import every room, and no room imports them.
   */
  readonly rooms: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
  /** Areas without modules: shared code, and code that joins the other areas. */
  readonly open: readonly string[]
  /** Files of a module, without extension, that other modules may import. */
  readonly doors: readonly string[]
  /** Words that only some files may use. */
  readonly words: readonly { word: string; in: string; only: readonly string[]; why: string }[]
}

const IMPORT = /(?:\bfrom\s+|\bimport\s*\(\s*|\bimport\s+)'([^'\n]+)'/g

/** Reads the sources of a checkout, without tests; returns their text by path. */
export function readSources(root: string): Map<string, string> {
  const sources = new Map<string, string>()
  for (const top of ['packages', 'e2e', 'tools']) {
    for (const found of readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })) {
      const path = join(top, found.replaceAll('\\', '/'))
      if (!/\.tsx?$/.test(path) || /\.test\.|\/test\/|\/(node_modules|dist|throwaway)\//.test(path)) continue
      sources.set(path, readFileSync(join(root, path), 'utf8'))
    }
  }
  return sources
}

/** Returns every violation, one line each, with the reason if layers.json gives one. */
export function violations(sources: ReadonlyMap<string, string>, rules: Layers): string[] {
  const found: string[] = []
  const report = (text: string, why = ''): void => {
    found.push(why ? `${text}. ${why}` : text)
  }
  const imports = new Map<string, Set<string>>()
  const files = new Map<string, Set<string>>()
  for (const [path, source] of sources) {
    for (const { word, in: where, only, why } of rules.words) {
      if (isIn(path, where) && !only.some((place) => isIn(path, place)) && new RegExp(word).test(source)) {
        report(`${path} uses ${word.replaceAll(/\\b|\\/g, '')}`, why)
      }
    }
    const own = layerOf(path, rules)
    if (own === undefined) {
      report(`${path} belongs to no layer of layers.json`)
      continue
    }
    const room = roomOf(path, rules)
    if (room && room.name === undefined) report(`${path} belongs to no room of layers.json`)
    const { may, libraries, why } = rules.layers[own] ?? { may: [] }
    for (const [, specifier = ''] of source.matchAll(IMPORT)) {
      const target = resolve(path, specifier)
      if (target === undefined) {
        if (libraries && !libraries.includes(specifier)) report(`${path} imports ${specifier}`, why)
        continue
      }
      if (sources.has(target)) files.set(path, (files.get(path) ?? new Set()).add(target))
      const layer = layerOf(target, rules)
      const below = layer !== undefined && isIn(layer, own)
      if (!below && !may.some((allowed) => isIn(target, allowed))) report(`${path} imports ${target}`, why)

      const other = roomOf(target, rules)
      if (room?.may && room.area === other?.area && room.name !== other.name && !room.may.includes(other.name ?? '')) {
        report(`${path} imports ${target}: ${room.name} may not import ${other.name || 'what joins its area'}`)
      }

      const [from, to] = [moduleOf(path, rules), moduleOf(target, rules)]
      if (!to || from === to) continue
      if (!rules.doors.includes(basename(target).replace(/\.tsx?$/, ''))) {
        report(`${path} reaches past the index.ts of ${to} to ${basename(target)}`)
      }
      if (from) imports.set(from, (imports.get(from) ?? new Set()).add(to))
    }
  }
  const circles: [string, ReadonlyMap<string, ReadonlySet<string>>][] = [
    ['modules import each other', imports],
    ['files import each other', files],
    ['layers may import each other', declaredLayers(rules)],
    ...Object.entries(rules.rooms).map(([area, rooms]): (typeof circles)[number] => [
      `rooms of ${area} may import each other`,
      new Map(Object.entries(rooms).map(([room, may]) => [room, new Set(may)])),
    ]),
  ]
  for (const [what, graph] of circles) {
    const cycle = findCycle(graph)
    if (cycle) report(`${what}: ${cycle.join(' → ')}`)
  }
  return found
}

/** The layers that each layer may import, by name; a named layer includes the layers below it. */
function declaredLayers({ layers }: Layers): Map<string, Set<string>> {
  const names = Object.keys(layers)
  return new Map(
    Object.entries(layers).map(([layer, { may }]) => [
      layer,
      new Set(names.filter((name) => name !== layer && may.some((allowed) => isIn(name, allowed)))),
    ]),
  )
}

/** Returns the room of a file. No name if it is in a folder that is not a room; no `may` if it joins its area. */
function roomOf(path: string, { rooms }: Layers): { area: string; name?: string; may?: readonly string[] } | undefined {
  const [area, inside] = Object.entries(rooms).find(([folder]) => isIn(path, folder)) ?? []
  if (area === undefined || inside === undefined) return undefined
  const rest = path.slice(area.length + 1)
  if (!rest.includes('/')) return { area, name: '' }
  const [name] = Object.keys(inside)
    .filter((room) => isIn(rest, room))
    .sort((a, b) => b.length - a.length)
  return name === undefined ? { area } : { area, name, may: inside[name] ?? [] }
}

function isIn(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`)
}

function layerOf(path: string, { layers }: Layers): string | undefined {
  return Object.keys(layers)
    .filter((layer) => isIn(path, layer))
    .sort((a, b) => b.length - a.length)[0]
}

function moduleOf(path: string, { modules, open }: Layers): string | undefined {
  const [root, depth] = Object.entries(modules).find(([folder]) => isIn(path, folder)) ?? []
  if (root === undefined || depth === undefined) return undefined
  const parts = path.slice(root.length + 1).split('/')
  if (parts.length <= depth || open.includes(parts[0] ?? '')) return undefined
  return join(root, ...parts.slice(0, depth))
}

function resolve(path: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return join(dirname(path), specifier)
  const [, name, ...rest] = /^@cloudoc\/([^/]+)(.*)$/.exec(specifier) ?? []
  if (name === undefined) return undefined
  return join(name === 'e2e' || name === 'tools' ? '' : 'packages', name, ...rest)
}

function findCycle(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] | undefined {
  const done = new Set<string>()
  const visit = (node: string, path: string[]): string[] | undefined => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node]
    if (done.has(node)) return undefined
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next, [...path, node])
      if (cycle) return cycle
    }
    done.add(node)
    return undefined
  }
  for (const node of graph.keys()) {
    const cycle = visit(node, [])
    if (cycle) return cycle
  }
  return undefined
}
