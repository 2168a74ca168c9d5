/*
 * Checks the documentation as far as a program can: links and names exist, the map fits one page and names every
 * feature's folder, and the README has two screens before its reference.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')
const inFolder = (folder: string): string[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))
const papers = ['.', 'docs', 'docs/adr', 'docs/how', 'docs/operations'].flatMap(inFolder)

/** The papers whose named sources must exist. */
const sourceNaming = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/server.md', 'docs/client.md', ...inFolder('docs/how')]

/** The link anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-')

test('what the papers link to is there', () => {
  const broken = papers.flatMap((paper) => {
    const links = [...textOf(paper).matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = '']) => to)
    return links.filter((to) => !isThere(paper, to)).map((to) => `${paper}: ${to}`)
  })
  expect(broken).toEqual([])
})

function isThere(paper: string, link: string): boolean {
  if (/^[a-z]+:/.test(link)) return true
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? paper : join(dirname(paper), path)
  if (!existsSync(join(root, target))) return false
  if (anchor === undefined || !target.endsWith('.md')) return true
  return [...textOf(target).matchAll(/^#+ (.+)$/gm)].some(([, heading = '']) => anchorOf(heading) === anchor)
}

test('each source that the map and what it leads to name is there', () => {
  const files = ['packages', 'tools', 'scripts', 'e2e'].flatMap(filesOf)
  const sources = [...files, ...readdirSync(root)].map((path) => `/${path}`)
  const missing = sourceNaming.flatMap((paper) => {
    const named = [...textOf(paper).matchAll(/`([\w./-]+\.(?:tsx?|mjs|json))`/g)].map(([, path = '']) => path)
    const paths = named.map((path) => path.replace(/^(web|server|domain|contract)\//, '$1/src/'))
    return paths.filter((path) => !sources.some((source) => source.endsWith(`/${path}`)))
  })
  // Files that the server generates from the contract.
  expect(missing.filter((path) => !/^(open|async)api\.json$/.test(path))).toEqual([])
})

test('calls, settings and functions that the papers name are there', () => {
  const sources = ['packages/contract/src', 'packages/domain/src', 'packages/server/src', 'packages/web/src']
    .flatMap(filesOf)
    .filter((path) => /\.tsx?$/.test(path))
    .map(textOf)
    .join('\n')
  const told = ['README.md', 'CONTRIBUTING.md', ...['docs', 'docs/how', 'docs/operations'].flatMap(inFolder)]
  const missing = told.flatMap((paper) =>
    [...textOf(paper).matchAll(/`([a-z]+[A-Z][A-Za-z0-9]+)(?:\(…?\))?`/g)]
      .map(([, name = '']) => name)
      .filter((name) => !new RegExp(String.raw`\b${name}\b`).test(sources))
      .map((name) => `${paper}: ${name}`),
  )
  expect(missing).toEqual([])
})

test('what the papers call by its name on the screen is called so there', () => {
  const texts = filesOf('packages/web/src')
    .filter((path) => path.endsWith('.zh.ts'))
    .map(textOf)
    .join('\n')
  const named = ['README.md', 'docs/administration.md', 'docs/operation.md'].flatMap((paper) =>
    // Excludes tables: they contain people and departments of the demo.
    [
      ...textOf(paper)
        .replaceAll(/^\|.*$/gm, '')
        .matchAll(/\p{Script=Han}+/gu),
    ].map(([name]) => name),
  )
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((name) => !texts.includes(name) && name !== '企业云文档')).toEqual([])
})

test('every feature has its folder in docs/server.md, every area of the client its name on the map', () => {
  const text = textOf('docs/server.md')
  const folders = [...textOf('packages/server/src/features.ts').matchAll(/'\.\/(\w+)\/(\w+)\/feature\.ts'/g)]
  expect(folders.length).toBeGreaterThan(40)
  expect(
    folders
      .filter(([, area = '', name = '']) => !text.includes(`\`${area}/${name}\``) && !text.includes(`\`${name}\``))
      .map(([, ...at]) => at.join('/')),
  ).toEqual([])
  const map = textOf('ARCHITECTURE.md')
  const areas = [...textOf('packages/web/src/app/areas.ts').matchAll(/'\.\.\/(\w+)\/area\.ts'/g)].map(
    ([, area = '']) => area,
  )
  expect(areas.filter((area) => !map.includes(`\`${area}\``))).toEqual([])
})

test('the map fits one page, the README two screens before the reference', () => {
  const map = textOf('ARCHITECTURE.md')
  expect(map.split('\n').length).toBeLessThanOrEqual(75)
  expect(map.split(/\s+/).length).toBeLessThanOrEqual(1100)
  const [first = ''] = textOf('README.md').split('## Test')
  expect(first.split('\n').length).toBeLessThanOrEqual(70)
})

function filesOf(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules') return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesOf(path) : [path]
  })
}
