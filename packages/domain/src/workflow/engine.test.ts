import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkTemplate } from './checks.ts'
import { type Act, actOn, voidedBy, type World } from './engine.ts'
import { roadOf } from './road.ts'
import { newProcess, type ProcessState, seatOrderOf, waitingAt } from './state.ts'
import type { HandlerRule, TaskNode, Template, TemplateEdge, TemplateNode } from './template.ts'

const launcher = 1
const admin = 99

interface Company {
  able: Set<number>
  /** Who stands in for whom. */
  away?: Map<number, number>
}

const world = (company: Company, form: Record<string, string> = {}): World => ({
  now: 1000,
  people: (rule) =>
    rule.by === 'people'
      ? rule.ids
      : rule.by === 'superior'
        ? [2]
        : rule.by === 'role'
          ? [3, 4]
          : rule.by === 'head'
            ? [5]
            : [],
  able: (account) => account === admin || company.able.has(account),
  superior: (account) => (account < 8 ? account + 1 : undefined),
  standIns: (account) => [company.away?.get(account) ?? []].flat(),
  afterWorkdays: (from, count) => from + count * 24 * 3_600_000,
  administrators: [admin],
  form,
  facts: { departments: [1], launcherLevel: 0, fileType: 'txt', fileLevel: 0 },
})

const everybody = (): Company => ({ able: new Set([1, 2, 3, 4, 5, 6, 7, 8, 9]), away: new Map() })

const people = (...ids: number[]): HandlerRule => ({ by: 'people', ids })
function task(id: string, handlers: readonly HandlerRule[], more: Partial<TaskNode> = {}): TaskNode {
  return {
    ...{ id, name: id, type: 'task', handlers, need: { of: 'one', count: 1 }, refusal: 'ends' },
    ...{ empty: { to: 'superior' }, deadline: null, mayReplace: true },
    ...more,
  }
}
const plain = (id: string, type: 'start' | 'fork' | 'join' | 'end'): TemplateNode => ({ id, name: id, type })
const edge = (from: string, to: string, more: Partial<TemplateEdge> = {}): TemplateEdge => ({
  ...{ id: `${from}-${to}`, from, to, when: [], otherwise: false },
  ...more,
})

function template(
  nodes: readonly TemplateNode[],
  edges: readonly TemplateEdge[],
  more: Partial<Template> = {},
): Template {
  return { nodes, edges, fields: [], launcherDecides: true, skipsSame: false, ...more }
}

/** A process with its template, to act on without repeating both. */
function running(of: Template, company = everybody(), choose: Record<string, number[]> = {}) {
  let state = newProcess(launcher, 'v1')
  const course: string[] = []
  const act = (one: Act): string => {
    const outcome = actOn(of, state, one, world(company))
    if ('refused' in outcome) return outcome.refused
    state = outcome.state
    course.push(...outcome.course.map(({ what, node }) => `${what} ${node}`.trim()))
    return state.status
  }
  const open = (node: string) => {
    const found = state.tasks.find((one) => one.node === node)
    if (found === undefined) throw new Error(`${node} is not open: ${state.tasks.map((one) => one.node).join()}`)
    return { task: found.id, rev: found.rev, found }
  }
  const on = (node: string, account: number, what: 'pass' | 'fail') => act({ act: what, account, ...open(node) })
  act({ act: 'launch', choose })
  return {
    act,
    on,
    open,
    course,
    state: () => state,
    nodes: () => state.tasks.map(({ node }) => node).sort(),
    waits: () => state.tasks.flatMap((one) => waitingAt(one)).sort((a, b) => a - b),
    back: (node: string, account: number, to: string) => act({ act: 'back', account, to, ...open(node) }),
  }
}

// start → a → fork(b, c → d) → join → e → end
const parallel = template(
  [
    plain('start', 'start'),
    task('a', [people(2)]),
    plain('fork', 'fork'),
    task('b', [people(3)]),
    task('c', [people(4)]),
    task('d', [people(5)]),
    plain('join', 'join'),
    task('e', [people(6)]),
    plain('end', 'end'),
  ],
  [
    edge('start', 'a'),
    edge('a', 'fork'),
    edge('fork', 'b'),
    edge('fork', 'c'),
    edge('c', 'd'),
    edge('b', 'join'),
    edge('d', 'join'),
    edge('join', 'e'),
    edge('e', 'end'),
  ],
)

describe('parallel branches', () => {
  test('a join waits for every living branch, once', () => {
    const one = running(parallel)
    one.on('a', 2, 'pass')
    expect(one.nodes()).toEqual(['b', 'c'])
    one.on('b', 3, 'pass')
    expect(one.nodes()).toEqual(['c'])
    one.on('c', 4, 'pass')
    expect(one.nodes()).toEqual(['d'])
    one.on('d', 5, 'pass')
    expect(one.nodes()).toEqual(['e'])
    expect(one.on('e', 6, 'pass')).toBe('passed')
  })

  test('back before the fork voids both branches, and the join does not count old arrivals', () => {
    const one = running(parallel)
    one.on('a', 2, 'pass')
    one.on('b', 3, 'pass')
    one.back('c', 4, 'a')
    expect(one.nodes()).toEqual(['a'])
    one.on('a', 2, 'pass')
    one.on('c', 4, 'pass')
    one.on('d', 5, 'pass')
    expect(one.nodes()).toEqual(['b'])
    one.on('b', 3, 'pass')
    expect(one.nodes()).toEqual(['e'])
  })

  test('back within a branch leaves the other branch alone', () => {
    const one = running(parallel)
    one.on('a', 2, 'pass')
    one.on('c', 4, 'pass')
    one.back('d', 5, 'c')
    expect(one.nodes()).toEqual(['b', 'c'])
  })

  test('back from behind the join into a branch asks that branch alone again', () => {
    const one = running(parallel)
    one.on('a', 2, 'pass')
    one.on('b', 3, 'pass')
    one.on('c', 4, 'pass')
    one.on('d', 5, 'pass')
    one.back('e', 6, 'c')
    expect(one.nodes()).toEqual(['c'])
    one.on('c', 4, 'pass')
    one.on('d', 5, 'pass')
    expect(one.nodes()).toEqual(['e'])
  })

  test('back across branches begins the other branch anew and keeps the own node open', () => {
    const one = running(parallel)
    one.on('a', 2, 'pass')
    one.on('b', 3, 'pass')
    one.on('c', 4, 'pass')
    one.back('d', 5, 'b')
    expect(one.nodes()).toEqual(['b', 'd'])
    one.on('d', 5, 'pass')
    expect(one.nodes()).toEqual(['b'])
    one.on('b', 3, 'pass')
    expect(one.nodes()).toEqual(['e'])
  })

  const passedBoth = () => {
    const one = running(parallel)
    one.on('a', 2, 'pass')
    one.on('c', 4, 'pass')
    one.on('b', 3, 'pass')
    one.on('d', 5, 'pass')
    return one
  }
  const voided = (one: ReturnType<typeof running>, from: string, to: string): (string | undefined)[] =>
    voidedBy(one.state(), one.open(from).task, to).map(({ node }) => node)

  test('back from behind the join into a branch voids that branch from there on, and keeps the others', () => {
    const one = passedBoth()
    // b was decided after c, in another branch.
    expect(voided(one, 'e', 'c')).toEqual(['c', 'd'])
    expect(voided(one, 'e', 'd')).toEqual(['d'])
    expect(voided(one, 'e', 'a')).toEqual(['a', 'c', 'b', 'd'])
    one.back('e', 6, 'c')
    expect(one.state().passes.map(({ node }) => node)).toEqual(['a', 'b'])
  })

  test('back within a branch voids no decision of another branch', () => {
    const one = running(parallel)
    one.on('a', 2, 'pass')
    one.on('c', 4, 'pass')
    one.on('b', 3, 'pass')
    expect(voided(one, 'd', 'c')).toEqual(['c'])
    one.back('d', 5, 'c')
    expect(one.state().passes.map(({ node }) => node)).toEqual(['a', 'b'])
  })

  test('back to the other branch, after one was begun anew, skips nobody', () => {
    const one = passedBoth()
    one.back('e', 6, 'c')
    one.back('c', 4, 'b')
    expect(one.nodes()).toEqual(['b', 'c'])
    one.on('b', 3, 'pass')
    expect(one.nodes()).toEqual(['c'])
    one.on('c', 4, 'pass')
    one.on('d', 5, 'pass')
    expect(one.nodes()).toEqual(['e'])
  })

  test('branches that meet at different joins still come together', () => {
    const crossed = template(
      [
        plain('start', 'start'),
        plain('fork', 'fork'),
        task('a', [people(2)]),
        task('b', [people(3)]),
        plain('j1', 'join'),
        plain('j2', 'join'),
        task('z', [people(4)]),
        plain('end', 'end'),
      ],
      [
        edge('start', 'fork'),
        edge('fork', 'a'),
        edge('fork', 'b'),
        edge('a', 'j1'),
        edge('j1', 'j2'),
        edge('b', 'j2'),
        edge('j2', 'z'),
        edge('z', 'end'),
      ],
    )
    const one = running(crossed)
    one.on('a', 2, 'pass')
    expect(one.nodes()).toEqual(['b'])
    one.on('b', 3, 'pass')
    expect(one.nodes()).toEqual(['z'])
    expect(one.on('z', 4, 'pass')).toBe('passed')
  })
})

const single = (node: TaskNode, more: Partial<Template> = {}): Template =>
  template(
    [plain('start', 'start'), node, task('last', [people(9)]), plain('end', 'end')],
    [edge('start', node.id), edge(node.id, 'last'), edge('last', 'end')],
    more,
  )

describe('who decides', () => {
  test('n of m is decided as soon as its result cannot change, in every order of up to six answers', () => {
    for (let m = 1; m <= 6; m += 1) {
      const ids = Array.from({ length: m }, (_, n) => n + 2)
      for (let count = 1; count <= m; count += 1) {
        for (let answers = 0; answers < 2 ** m; answers += 1) {
          const one = running(single(task('n', [people(...ids)], { need: { of: 'count', count }, refusal: 'counts' })))
          let passed = 0
          let failed = 0
          for (const [n, id] of ids.entries()) {
            if (one.nodes()[0] !== 'n') break
            const passes = (answers & (1 << n)) !== 0
            if (passes) passed += 1
            else failed += 1
            one.on('n', id, passes ? 'pass' : 'fail')
          }
          const expected = passed >= count ? ['last'] : failed > m - count ? [] : ['n']
          expect(one.nodes(), `${count} of ${m}, ${answers}`).toEqual(expected)
        }
      }
    }
  })

  test('one refusal ends the process where the node says so, and asks nobody further', () => {
    const one = running(single(task('n', [people(2, 3, 4)], { need: { of: 'count', count: 2 } })))
    expect(one.on('n', 2, 'fail')).toBe('failed')
    expect(one.state().tasks).toEqual([])
  })

  test('an empty set of handlers goes to the superior, to named people or to the launcher, and is written down', () => {
    const nobody = [people(77)]
    const bySuperior = running(single(task('n', nobody)))
    expect([bySuperior.waits(), bySuperior.course.includes('empty n')]).toEqual([[2], true])
    expect(running(single(task('n', nobody, { empty: { to: 'people', ids: [7, 8] } }))).waits()).toEqual([7, 8])
    const asks = running(single(task('n', nobody, { empty: { to: 'launcher' } })))
    expect(asks.state().tasks[0]?.mode).toBe('assign')
    expect(asks.act({ act: 'assign', account: launcher, to: [6], ...asks.open('n') })).toBe('running')
    expect(asks.waits()).toEqual([6])
  })

  test('the launcher does not decide where the template forbids it, by no way', () => {
    const no = { launcherDecides: false }
    const one = running(single(task('n', [people(launcher)]), no))
    expect(one.waits()).toEqual([2])
    expect(one.act({ act: 'handOn', account: 2, to: launcher, ...one.open('n') })).toBe('notPossible')
    expect(one.act({ act: 'add', account: 2, to: launcher, place: 'before', ...one.open('n') })).toBe('notPossible')
  })

  test('whoever passed the same version is not asked again, but is after it changed', () => {
    const again = single(task('n', [people(9)]), { skipsSame: true })
    const one = running(again)
    expect(one.on('n', 9, 'pass')).toBe('passed')
    expect(one.course).toContain('earlier last')
    const three = template(
      [
        plain('start', 'start'),
        task('n', [people(9)]),
        task('m', [people(2)]),
        task('last', [people(9)]),
        plain('end', 'end'),
      ],
      [edge('start', 'n'), edge('n', 'm'), edge('m', 'last'), edge('last', 'end')],
      { skipsSame: true },
    )
    const changed = running(three)
    changed.on('n', 9, 'pass')
    changed.act({ act: 'replace', account: 2, basis: 'v2', ...changed.open('m') })
    changed.on('m', 2, 'pass')
    expect(changed.waits()).toEqual([9])
  })

  test('whoever passed is asked again after it was sent back to them', () => {
    const one = running(single(task('n', [people(2)]), { skipsSame: true }))
    one.on('n', 2, 'pass')
    one.back('last', 9, 'n')
    expect([one.nodes(), one.waits()]).toEqual([['n'], [2]])
  })

  test('somebody added before answers first, somebody added after answers too', () => {
    const one = running(single(task('n', [people(2)])))
    one.act({ act: 'add', account: 2, to: 3, place: 'before', ...one.open('n') })
    expect(one.waits()).toEqual([3])
    one.on('n', 3, 'pass')
    one.act({ act: 'add', account: 2, to: 4, place: 'after', ...one.open('n') })
    expect(one.waits()).toEqual([2])
    one.on('n', 2, 'pass')
    expect(one.waits()).toEqual([4])
    one.on('n', 4, 'pass')
    expect(one.nodes()).toEqual(['last'])
  })

  test('two acts on one state are one act and one refusal', () => {
    const one = running(single(task('n', [people(2, 3)], { need: { of: 'all', count: 0 } })))
    const both = one.open('n')
    expect(one.act({ act: 'pass', account: 2, ...both })).toBe('running')
    expect(one.act({ act: 'pass', account: 3, ...both })).toBe('changed')
  })

  test('whoever stands in for another handler gives one decision, as long as others can give the rest', () => {
    const of = (count: number) =>
      single(task('n', [people(2, 3, 4)], { need: { of: 'count', count }, refusal: 'counts' }))
    const company = { ...everybody(), away: new Map([[3, 2]]) }
    const one = running(of(2), company)
    one.on('n', 2, 'pass')
    const forAnother = () => one.act({ act: 'pass', account: 3, by: 2, ...one.open('n') })
    expect(forAnother()).toBe('notTheirs')
    // Whoever is away may answer for themselves.
    expect(one.open('n').found.barred).toEqual([2])
    // Nobody else is left who could: the second seat is answered for the one who is away.
    one.on('n', 4, 'fail')
    expect(forAnother()).toBe('running')
    expect(one.nodes()).toEqual(['last'])
  })

  test('where all decide, a stand-in answers both seats; another stand-in who is there answers instead', () => {
    const all = single(task('n', [people(2, 3)], { need: { of: 'all', count: 2 } }))
    const one = running(all, { ...everybody(), away: new Map([[3, 2]]) })
    one.on('n', 2, 'pass')
    expect(one.act({ act: 'pass', account: 3, by: 2, ...one.open('n') })).toBe('running')
    expect(one.nodes()).toEqual(['last'])
    const other = running(all, { ...everybody(), away: new Map([[3, 5]]) })
    other.on('n', 2, 'pass')
    expect(other.act({ act: 'pass', account: 3, by: 2, ...other.open('n') })).toBe('notTheirs')
    expect(other.act({ act: 'pass', account: 3, by: 5, ...other.open('n') })).toBe('running')
  })

  test('who is barred is looked at again when stand-ins change, without voiding acts on the node', () => {
    const company: Company = { ...everybody(), away: new Map() }
    const one = running(single(task('n', [people(2, 3)], { need: { of: 'all', count: 2 } })), company)
    one.on('n', 2, 'pass')
    const { rev, found } = one.open('n')
    expect(found.barred).toEqual([2])
    company.away = new Map([[3, 2]])
    one.act({ act: 'revive' })
    expect([one.open('n').found.barred, one.open('n').rev]).toEqual([undefined, rev])
  })

  test('the deadline hands a node on or to the superior, once', () => {
    const late = (action: 'passOn' | 'escalate') => ({ deadline: { hours: 1, action, to: [7] } })
    const passed = running(single(task('n', [people(2)], late('passOn'))))
    passed.act({ act: 'deadline', task: passed.open('n').task })
    expect(passed.waits()).toEqual([7])
    expect(passed.act({ act: 'deadline', task: passed.open('n').task })).toBe('changed')
    const higher = running(single(task('n', [people(2)], late('escalate'))))
    higher.act({ act: 'deadline', task: higher.open('n').task })
    expect(higher.waits()).toEqual([3])
  })
})

test('conditions compare money as cents and take the default branch otherwise', () => {
  const nodes = [
    plain('start', 'start'),
    { id: 'if', name: 'if', type: 'condition' } as const,
    task('high', [people(2)]),
    task('low', [people(3)]),
    plain('end', 'end'),
  ]
  const over = { of: 'form.sum', is: 'ge', value: '0.30' } as const
  const of = template(nodes, [
    edge('start', 'if'),
    edge('if', 'high', { when: [over] }),
    edge('if', 'low', { otherwise: true }),
    edge('high', 'end'),
    edge('low', 'end'),
  ])
  const road = (sum: string) =>
    roadOf(of, launcher, world(everybody(), { sum })).steps.map(({ node, people: who }) => `${node} ${who.join()}`)
  expect(road('0.30')).toEqual(['high 2'])
  expect(road('0.29')).toEqual(['low 3'])
  expect(road('')).toEqual(['low 3'])
  expect(road('abc')).toEqual(['low 3'])
  expect(road('1000000000000000.00')).toEqual(['low 3'])
  expect(road('999999999999999.99')).toEqual(['high 2'])
})

test('the road names those who cannot act, and who is asked instead', () => {
  const company: Company = { able: new Set([1, 4, 7, 9]) }
  const roadAt = (node: TaskNode) => {
    const [step] = roadOf(single(node), launcher, world(company)).steps
    return [step?.people, step?.unable, step?.isInstead, step?.isStuck]
  }
  expect(roadAt(task('n', [people(2, 4)]))).toEqual([[4], [2], false, false])
  expect(roadAt(task('n', [people(2)], { empty: { to: 'people', ids: [7] } }))).toEqual([[7], [2], true, false])
  expect(roadAt(task('n', [people(2)], { empty: { to: 'launcher' } }))).toEqual([[1], [2], false, true])
})

// Random templates and acts

interface Part {
  readonly nodes: readonly TemplateNode[]
  readonly edges: readonly TemplateEdge[]
  readonly first: string
  readonly last: string
}

/** Builds a random template of nested blocks from a stream of numbers. */
function grow(random: (below: number) => number): Template {
  let count = 0
  const id = (): string => `n${(count += 1)}`
  const rule = (): HandlerRule => {
    const n = random(7)
    if (n === 0) return { by: 'role', id: 1 }
    if (n === 1) return { by: 'superior' }
    if (n === 2) return { by: 'head', groupId: 0 }
    if (n === 3) return { by: 'chosen', from: 'launcher' }
    if (n === 4) return people(77)
    return people(...Array.from({ length: 1 + random(4) }, () => 1 + random(9)))
  }
  const block = (depth: number): Part => {
    const kind = depth > 2 ? random(3) : random(7)
    if (kind === 3) {
      const one: TemplateNode = { id: id(), name: 'cc', type: 'cc', handlers: [rule()] }
      return { nodes: [one], edges: [], first: one.id, last: one.id }
    }
    if (kind === 4) {
      const one: TemplateNode = { id: id(), name: 'archive', type: 'archive', folderId: 0, pattern: '' }
      return { nodes: [one], edges: [], first: one.id, last: one.id }
    }
    if (kind === 5 || kind === 6) {
      const parts = Array.from({ length: 2 + random(2) }, () => line(depth + 1))
      const isFork = kind === 6
      const split: TemplateNode = isFork ? plain(id(), 'fork') : { id: id(), name: 'if', type: 'condition' }
      const meet = isFork ? plain(id(), 'join') : task(id(), [rule()])
      return {
        nodes: [split, ...parts.flatMap(({ nodes }) => nodes), meet],
        edges: parts.flatMap((part, n) => [
          ...part.edges,
          edge(split.id, part.first, {
            otherwise: !isFork && n === 0,
            when: isFork || n === 0 ? [] : [{ of: 'launcher.level', is: 'ge', value: String(random(2)) }],
          }),
          edge(part.last, meet.id),
        ]),
        first: split.id,
        last: meet.id,
      }
    }
    const need = random(3)
    const one = task(id(), [rule(), ...(random(3) === 0 ? [rule()] : [])], {
      need: { of: need === 0 ? 'one' : need === 1 ? 'all' : 'count', count: 1 + random(3) },
      refusal: random(2) === 0 ? 'ends' : 'counts',
      empty: random(3) === 0 ? { to: 'launcher' } : random(2) === 0 ? { to: 'superior' } : { to: 'people', ids: [6] },
      deadline: random(3) === 0 ? { hours: 1, action: random(2) === 0 ? 'passOn' : 'escalate', to: [7] } : null,
    })
    return { nodes: [one], edges: [], first: one.id, last: one.id }
  }
  const line = (depth: number): Part => {
    const parts = Array.from({ length: 1 + random(3) }, () => block(depth))
    return {
      nodes: parts.flatMap(({ nodes }) => nodes),
      edges: parts.flatMap((part, n) => [
        ...part.edges,
        ...(parts[n + 1] === undefined ? [] : [edge(part.last, parts[n + 1]?.first ?? '')]),
      ]),
      first: parts[0]?.first ?? '',
      last: parts.at(-1)?.last ?? '',
    }
  }
  const whole = line(0)
  return template(
    [plain('start', 'start'), ...whole.nodes, plain('end', 'end')],
    [edge('start', whole.first), ...whole.edges, edge(whole.last, 'end')],
    { launcherDecides: random(2) === 0, skipsSame: random(3) === 0 },
  )
}

/** A random act that somebody could try now. */
function randomAct(random: (below: number) => number, state: ProcessState, company: Company): Act {
  const tasks = state.tasks
  const chosen = tasks[random(Math.max(1, tasks.length))]
  const anybody = (): number => 1 + random(9)
  if (chosen === undefined) return { act: 'revive' }
  const id = chosen.id
  if (chosen.mode === 'archive')
    return random(3) > 0 ? { act: 'archived', task: id } : { act: 'notArchived', task: id, detail: 'full' }
  const turns = waitingAt(chosen)
  const account = turns[random(Math.max(1, turns.length))] ?? anybody()
  const by = random(5) === 0 ? company.away?.get(account) : undefined
  const base = { task: id, rev: random(20) === 0 ? 0 : chosen.rev, account, ...(by !== undefined && { by }) }
  if (chosen.mode === 'assign' && random(3) > 0) return { act: 'assign', ...base, to: [anybody()] }
  if (chosen.mode === 'rework' && random(3) > 0) return { act: 'resubmit', ...base, basis: `v${random(3)}` }
  if (chosen.mode === 'folder' && random(3) > 0)
    return { act: 'folder', ...base, ...(random(2) === 0 && { folderId: 5 }) }
  switch (random(16)) {
    case 0:
      return { act: 'back', ...base, to: state.done[random(Math.max(1, state.done.length))]?.node ?? 'start' }
    case 1:
      return { act: 'back', ...base, to: 'start' }
    case 2:
      return { act: 'handOn', ...base, to: anybody() }
    case 3:
      return { act: 'add', ...base, to: anybody(), place: random(2) === 0 ? 'before' : 'after' }
    case 4: {
      const gone = anybody()
      company.able.delete(gone)
      return { act: 'gone', account: gone, ...(random(2) === 0 && { successor: anybody() }) }
    }
    case 5: {
      const frozen = anybody()
      company.able.delete(frozen)
      return { act: 'revive' }
    }
    case 6:
      company.able.add(anybody())
      company.away?.set(anybody(), anybody())
      return { act: 'deadline', task: id }
    case 7:
      return { act: 'replace', ...base, basis: `v${random(3)}` }
    case 8:
      return random(4) === 0 ? { act: 'fail', ...base } : { act: 'pass', ...base }
    case 9:
      return random(6) === 0 ? { act: 'withdraw', account: launcher, rev: state.seq } : { act: 'pass', ...base }
    default:
      return { act: 'pass', ...base }
  }
}

/** Those who may answer at a task: who is asked and their stand-ins, without those who do not decide again. */
const mayAnswer = (one: ProcessState['tasks'][number], { able, away }: Company): number[] =>
  waitingAt(one)
    .flatMap((who) => [who, ...[away?.get(who) ?? []].flat()])
    .filter((who) => able.has(who) && one.barred?.includes(who) !== true)

/** What must hold after every act. */
function broken(before: ProcessState, after: ProcessState, company: Company): string | undefined {
  const able = (one: number): boolean => one === admin || company.able.has(one)
  if (after.status === 'running') {
    if (after.tasks.length === 0) return 'stuck: nobody is asked'
    const can = after.tasks.some((one) => one.mode === 'archive' || waitingAt(one).some(able))
    if (!can) return 'stuck: nobody who is asked can act'
    for (const one of after.tasks) {
      if (!after.tokens.some(({ id }) => id === one.token)) return 'a task without a token'
      if (one.mode !== 'archive' && waitingAt(one).length === 0) return `a task that waits for nobody: ${one.mode}`
      if (one.mode === 'decide' && mayAnswer(one, company).length === 0)
        return 'only those are asked who may not decide again'
      if (waitingAt(one).some((who) => !able(who))) return 'somebody is asked who cannot act'
      const accounts = one.seats.flatMap(({ line }) => line.map(({ account }) => account))
      if (new Set(accounts).size < accounts.length) return 'somebody is asked twice at one node'
      if (one.seats.some((seat) => seat.result === 'waiting' && seatOrderOf(seat) === undefined))
        return 'a seat past its end'
      if (one.need > one.seats.filter(({ result }) => result !== 'failed').length && one.mode === 'decide')
        return 'more is needed than can come'
    }
    if (after.tokens.some((one) => after.tokens.some((other) => other !== one && other.id === one.id)))
      return 'two tokens with one number'
  } else if (after.tasks.length > 0 || after.tokens.length > 0) return 'ended, yet something is open'
  if (before.status !== 'running' && after.status !== before.status && before.status !== 'draft') return 'a second end'
  return undefined
}

// [R264] Over random templates and acts a process always has somebody who can act, or has ended once.
test('[R264] random processes are never stuck and end once, over ten thousand acts', () => {
  let acts = 0
  let ends = 0
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat(1_000_000)), (stream) => {
      const random = (below: number): number => (stream.next().value as number) % below
      const of = grow(random)
      expect(
        checkTemplate(of).filter(({ problem }) => ['unreachable', 'deadEnd', 'noExit', 'emptyLoop'].includes(problem))
          .length,
      ).toBe(0)
      const company = everybody()
      let state = newProcess(launcher, 'v1')
      const choose = Object.fromEntries(
        of.nodes.flatMap((node) =>
          node.type === 'task' && node.handlers.some(({ by }) => by === 'chosen')
            ? [[node.id, of.launcherDecides ? [1, 2] : [2, 3]]]
            : [],
        ),
      )
      let endings = 0
      for (let n = 0; n < 60; n += 1) {
        const act: Act = n === 0 ? { act: 'launch', choose } : randomAct(random, state, company)
        const outcome = actOn(of, state, act, world(company))
        if ('refused' in outcome) {
          if (n === 0) throw new Error(`launch is refused: ${outcome.refused} ${outcome.node}`)
          // A refused act changes nothing, but people may have become unable meanwhile.
          const revived = actOn(of, state, { act: 'revive' }, world(company))
          if ('state' in revived && state.status === 'running') state = revived.state
          continue
        }
        acts += 1
        endings += outcome.course.filter(({ what }) => what === 'ended').length
        const wrong = broken(state, outcome.state, company)
        if (wrong !== undefined) throw new Error(`${wrong}\n${JSON.stringify({ act, state: outcome.state, of })}`)
        if (act.act !== 'revive' && act.act !== 'gone' && outcome.course.length === 0)
          throw new Error(`nothing in the course: ${act.act}`)
        state = outcome.state
        if (state.status !== 'running') break
      }
      expect(endings).toBe(state.status === 'running' ? 0 : 1)
      ends += endings
    }),
    { numRuns: 1000, endOnFailure: true },
  )
  expect(acts).toBeGreaterThan(10_000)
  expect(ends).toBeGreaterThan(100)
})
