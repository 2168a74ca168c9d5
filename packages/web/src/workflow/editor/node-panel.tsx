// The panel of the selected node: its name, handlers, how many have to pass, what a refusal and a late answer do; of a
// condition its branches.
import type { TemplateBody } from '@cloudoc/contract'
import { operators, workCalendar, yearsWithoutDays } from '@cloudoc/domain'
import { type ReactNode, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { showMenu } from '../../core/menu/menu.ts'
import { useSession } from '../../core/session/session.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { Checkbox } from '../../kit/fields.tsx'
import { Add16Regular, Delete16Regular, Dismiss12Regular } from '../../kit/icons.ts'
import { Select } from '../../kit/select.tsx'
import { type Subject, SubjectField } from '../../people/index.ts'
import { askable, type Names, ruleText } from './labels.ts'
import {
  addBranch,
  type Edge,
  type Node,
  removeEdge,
  removeNode,
  type TaskNode,
  withEdge,
  withNode,
} from './template-draft.ts'
import './editor.css'

export interface NodePanelProps {
  readonly body: TemplateBody
  readonly node: Node
  readonly names: Names
  readonly problems: readonly string[]
  readonly onChange: (body: TemplateBody) => void
  readonly onNames: (names: Names) => void
  readonly onGone: () => void
}

export function NodePanel(props: NodePanelProps): ReactNode {
  const { body, node, problems, onChange, onGone } = props
  const t = useT()
  const set = (to: Node): void => onChange(withNode(body, to))
  const isFixed = node.type === 'start' || node.type === 'end' || node.type === 'join'
  return (
    <section className="we-panel" aria-label={t('workflow.editor.node')}>
      <h3>{t(`workflow.node.${node.type}`)}</h3>
      {problems.map((text) => (
        <p key={text} className="wf-note" data-tone="danger">
          {text}
        </p>
      ))}
      {node.type !== 'join' && (
        <Row label={t('workflow.editor.name')}>
          <span className="k-input">
            <input
              aria-label={t('workflow.editor.name')}
              maxLength={60}
              value={node.name}
              onChange={({ target }) => set({ ...node, name: target.value })}
            />
          </span>
        </Row>
      )}
      {(node.type === 'task' || node.type === 'cc') && <Handlers {...props} node={node} />}
      {node.type === 'task' && <TaskRules {...props} node={node} />}
      {node.type === 'archive' && <ArchiveRules {...props} node={node} />}
      {node.type === 'condition' && <Branches {...props} />}
      {(node.type === 'fork' || node.type === 'condition') && (
        <Button icon={<Add16Regular />} onClick={() => onChange(addBranch(body, node.id, t('workflow.node.task')))}>
          {t('workflow.editor.addBranch')}
        </Button>
      )}
      {!isFixed && (
        <Button
          kind="danger"
          icon={<Delete16Regular />}
          onClick={() => {
            onChange(removeNode(body, node.id))
            onGone()
          }}
        >
          {t('workflow.editor.remove')}
        </Button>
      )}
    </section>
  )
}

function Row({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactNode {
  return (
    <div className="we-row">
      <span>{label}</span>
      <div>{children}</div>
    </div>
  )
}

type Handled = Extract<Node, { handlers: unknown }>

function Handlers({ body, node, names, onChange, onNames }: NodePanelProps & { readonly node: Handled }): ReactNode {
  const t = useT()
  const set = (handlers: Handled['handlers']): void => onChange(withNode(body, { ...node, handlers }))
  const add = (rule: Handled['handlers'][number]): void => set([...node.handlers, rule])
  const people = async (): Promise<void> => {
    const title = t('workflow.editor.people')
    const picked = await openWindow('people-pick', { title, ok: t('workflow.ok'), picked: [] })
    if (picked === undefined || picked.length === 0) return
    onNames(Object.fromEntries(picked.map(({ userId, accountName }) => [`user:${userId}`, accountName])))
    add({ by: 'people', ids: picked.map(({ userId }) => userId) })
  }
  const head = async (): Promise<void> => {
    const title = t('workflow.editor.head')
    const group = await openWindow('organisation-pick-group', { title, ok: t('workflow.ok') })
    if (group === undefined) return
    onNames({ [`group:${group.groupId}`]: group.groupName })
    add({ by: 'head', groupId: group.groupId })
  }
  const menu = (at: { readonly x: number; readonly y: number }): void =>
    void showMenu(
      [
        { id: 'people', label: t('workflow.editor.people'), run: () => void people() },
        { id: 'head', label: t('workflow.editor.head'), run: () => void head() },
        { id: 'ownHead', label: t('workflow.rule.ownHead'), run: () => add({ by: 'head', groupId: 0 }) },
        { id: 'superior', label: t('workflow.rule.superior'), run: () => add({ by: 'superior' }) },
        ...(node.type === 'task'
          ? [
              {
                id: 'launcher',
                label: t('workflow.rule.byLauncher'),
                run: () => add({ by: 'chosen', from: 'launcher' }),
              },
              { id: 'before', label: t('workflow.rule.byBefore'), run: () => add({ by: 'chosen', from: 'before' }) },
            ]
          : []),
      ],
      at,
    )
  const roles = (subjects: readonly Subject[]): void => {
    const role = subjects.at(-1)
    if (role === undefined) return
    onNames({ [`role:${role.id}`]: role.name })
    add({ by: 'role', id: role.id })
  }
  return (
    <Row label={t('workflow.editor.handlers')}>
      <ul className="we-rules">
        {node.handlers.map((rule, n) => (
          // Rules have no key except their index.
          <li key={`${rule.by} ${n}`}>
            <span>{ruleText(t, rule, names)}</span>
            <IconButton
              label={t('workflow.editor.removeRule')}
              size="small"
              icon={<Dismiss12Regular />}
              onClick={() => set(node.handlers.filter((_, at) => at !== n))}
            />
          </li>
        ))}
      </ul>
      <Button
        size="small"
        icon={<Add16Regular />}
        onClick={({ currentTarget }) => {
          const { left, bottom } = currentTarget.getBoundingClientRect()
          menu({ x: left, y: bottom })
        }}
      >
        {t('workflow.editor.addHandler')}
      </Button>
      <SubjectField label={t('workflow.editor.addRole')} types="role" chosen={[]} onChange={roles} />
    </Row>
  )
}

function TaskRules({ body, node, names, onChange, onNames }: NodePanelProps & { readonly node: TaskNode }): ReactNode {
  const t = useT()
  const set = (part: Partial<TaskNode>): void => onChange(withNode(body, { ...node, ...part }))
  const pick = async (title: string): Promise<readonly number[]> => {
    const picked = (await openWindow('people-pick', { title, ok: t('workflow.ok'), picked: [] })) ?? []
    onNames(Object.fromEntries(picked.map(({ userId, accountName }) => [`user:${userId}`, accountName])))
    return picked.map(({ userId }) => userId)
  }
  const named = (ids: readonly number[]): string =>
    ids.length === 0
      ? t('workflow.pickPerson')
      : ids.map((id) => names[`user:${id}`] ?? String(id)).join(t('workflow.listJoin'))
  const { need, empty, deadline } = node
  return (
    <>
      <Row label={t('workflow.editor.need')}>
        <Select
          label={t('workflow.editor.need')}
          value={need.of}
          options={(['one', 'all', 'count'] as const).map((of) => ({
            value: of,
            label: of === 'count' ? t('workflow.need.some') : t(`workflow.need.${of}`),
          }))}
          onChange={(of) => set({ need: { of, count: Math.max(2, need.count) } })}
        />
        {need.of === 'count' && (
          <NumberInput
            label={t('workflow.need.some')}
            value={need.count}
            onChange={(count) => set({ need: { ...need, count } })}
          />
        )}
      </Row>
      <Row label={t('workflow.editor.refusal')}>
        <Select
          label={t('workflow.editor.refusal')}
          value={node.refusal}
          options={(['ends', 'counts'] as const).map((one) => ({ value: one, label: t(`workflow.refusal.${one}`) }))}
          onChange={(refusal) => set({ refusal })}
        />
      </Row>
      <Row label={t('workflow.editor.empty')}>
        <Select
          label={t('workflow.editor.empty')}
          value={empty.to}
          options={(['superior', 'people', 'launcher'] as const).map((to) => ({
            value: to,
            label: t(`workflow.empty.${to}`),
          }))}
          onChange={(to) => set({ empty: to === 'people' ? { to, ids: [] } : { to } })}
        />
        {empty.to === 'people' && (
          <Button
            size="small"
            onClick={() =>
              void pick(t('workflow.editor.empty')).then((ids) => set({ empty: { to: 'people', ids: [...ids] } }))
            }
          >
            {named(empty.ids)}
          </Button>
        )}
      </Row>
      <Row label={t('workflow.editor.deadline')}>
        <Checkbox
          label={t('workflow.editor.hasDeadline')}
          checked={deadline !== null}
          onChange={({ target }) => set({ deadline: target.checked ? { hours: 24, action: 'remind', to: [] } : null })}
        />
        {deadline !== null && (
          <>
            <NumberInput
              label={t('workflow.editor.amount')}
              value={deadline.workdays ?? deadline.hours}
              onChange={(n) =>
                set({
                  deadline: { ...deadline, ...(deadline.workdays === undefined ? { hours: n } : { workdays: n }) },
                })
              }
            />
            <Select
              label={t('workflow.editor.unit')}
              value={deadline.workdays === undefined ? 'hours' : 'workdays'}
              options={(['hours', 'workdays'] as const).map((unit) => ({
                value: unit,
                label: t(`workflow.editor.${unit}`),
              }))}
              onChange={(unit) => {
                const { action, to } = deadline
                set({ deadline: { hours: 24, action, to, ...(unit === 'workdays' && { workdays: 2 }) } })
              }}
            />
            <Select
              label={t('workflow.editor.then')}
              value={deadline.action}
              options={(['remind', 'passOn', 'escalate'] as const).map((one) => ({
                value: one,
                label: t(`workflow.then.${one}`),
              }))}
              onChange={(action) => set({ deadline: { ...deadline, action } })}
            />
            {deadline.workdays !== undefined && <YearsWithoutDays />}
            {deadline.action === 'passOn' && (
              <Button
                size="small"
                onClick={() =>
                  void pick(t('workflow.then.passOn')).then((to) => set({ deadline: { ...deadline, to: [...to] } }))
                }
              >
                {named(deadline.to)}
              </Button>
            )}
          </>
        )}
      </Row>
      <Checkbox
        label={t('workflow.editor.mayReplace')}
        checked={node.mayReplace}
        onChange={({ target }) => set({ mayReplace: target.checked })}
      />
    </>
  )
}

interface NumberInputProps {
  readonly label: string
  readonly value: number
  readonly onChange: (value: number) => void
}

function NumberInput({ label, value, onChange }: NumberInputProps): ReactNode {
  return (
    <span className="k-input">
      <input
        type="number"
        min={1}
        max={8760}
        aria-label={label}
        value={value}
        onChange={({ target }) => onChange(Math.max(1, Math.min(8760, Math.round(Number(target.value) || 1))))}
      />
      <small>{label}</small>
    </span>
  )
}

type ArchiveNode = Extract<Node, { type: 'archive' }>

function ArchiveRules({
  body,
  node,
  names,
  onChange,
  onNames,
}: NodePanelProps & { readonly node: ArchiveNode }): ReactNode {
  const t = useT()
  const set = (part: Partial<ArchiveNode>): void => onChange(withNode(body, { ...node, ...part }))
  const pick = async (): Promise<void> => {
    const folder = await openWindow('drive-folder-pick', {
      ...{ title: t('workflow.folder'), hint: t('workflow.folder.hint'), verb: 'copy' },
    })
    if (folder === undefined) return
    onNames({ [`folder:${folder.fId}`]: folder.fName })
    set({ folderId: folder.fId })
  }
  return (
    <>
      <Row label={t('workflow.folder')}>
        <Button onClick={() => void pick()}>
          {node.folderId > 0
            ? (names[`folder:${node.folderId}`] ?? String(node.folderId))
            : t('workflow.editor.folderLater')}
        </Button>
        {node.folderId > 0 && (
          <Button kind="link" onClick={() => set({ folderId: 0 })}>
            {t('workflow.editor.folderLater')}
          </Button>
        )}
      </Row>
      <Row label={t('workflow.editor.pattern')}>
        <span className="k-input">
          <input
            aria-label={t('workflow.editor.pattern')}
            maxLength={120}
            value={node.pattern}
            onChange={({ target }) => set({ pattern: target.value })}
          />
        </span>
        <small>{t('workflow.editor.pattern.more', { tokens: '{title} {number} {date} {launcher}' })}</small>
      </Row>
    </>
  )
}

function Branches({ body, node, names, onChange, onNames }: NodePanelProps): ReactNode {
  const t = useT()
  const exits = body.edges.filter(({ from }) => from === node.id)
  const targets = body.nodes
    .filter(({ id, type }) => id !== node.id && type !== 'start')
    .map(({ id, name, type }) => ({ value: id, label: name === '' ? t(`workflow.node.${type}`) : name }))
  return exits.map((edge, n) => (
    <fieldset key={edge.id} className="we-branch">
      <legend>{edge.otherwise ? t('workflow.editor.otherwise') : t('workflow.editor.branch', { n: n + 1 })}</legend>
      {!edge.otherwise && <Conditions body={body} edge={edge} names={names} onChange={onChange} onNames={onNames} />}
      <Select
        label={t('workflow.editor.leadsTo')}
        showLabel
        value={edge.to}
        options={targets}
        onChange={(to) => onChange(withEdge(body, { ...edge, to }))}
      />
      {!edge.otherwise && exits.length > 2 && (
        <Button kind="link" onClick={() => onChange(removeEdge(body, edge.id))}>
          {t('workflow.editor.removeBranch')}
        </Button>
      )}
    </fieldset>
  ))
}

interface ConditionsProps extends Pick<NodePanelProps, 'body' | 'names' | 'onChange' | 'onNames'> {
  readonly edge: Edge
}

function Conditions({ body, edge, names, onChange, onNames }: ConditionsProps): ReactNode {
  const t = useT()
  const set = (when: Edge['when']): void => onChange(withEdge(body, { ...edge, when }))
  const put = (n: number, part: Partial<Edge['when'][number]>): void =>
    set(edge.when.map((one, at) => (at === n ? { ...one, ...part } : one)))
  const group = async (n: number): Promise<void> => {
    const title = t('workflow.fact.launcher.department')
    const picked = await openWindow('organisation-pick-group', { title, ok: t('workflow.ok') })
    if (picked === undefined) return
    onNames({ [`group:${picked.groupId}`]: picked.groupName })
    put(n, { value: String(picked.groupId) })
  }
  return (
    <>
      {edge.when.map((one, n) => (
        // Conditions have no key except their index.
        <div key={`${edge.id} ${n}`} className="we-condition">
          <Select
            label={t('workflow.editor.value')}
            value={one.of}
            options={askable(t, body)}
            onChange={(of) => put(n, { of, ...(of === 'launcher.department' && { is: 'eq', value: '' }) })}
          />
          <Select
            label={t('workflow.editor.operator')}
            value={one.is}
            options={operators.map((is) => ({ value: is, label: t(`workflow.operator.${is}`) }))}
            onChange={(is) => put(n, { is })}
          />
          {one.of === 'launcher.department' ? (
            <Button size="small" onClick={() => void group(n)}>
              {one.value === '' ? t('workflow.choose') : (names[`group:${one.value}`] ?? one.value)}
            </Button>
          ) : (
            <span className="k-input">
              <input
                aria-label={t('workflow.editor.compared')}
                maxLength={200}
                value={one.value}
                onChange={({ target }) => put(n, { value: target.value })}
              />
            </span>
          )}
          {edge.when.length > 1 && (
            <IconButton
              label={t('workflow.editor.removeRule')}
              size="small"
              icon={<Dismiss12Regular />}
              onClick={() => set(edge.when.filter((_, at) => at !== n))}
            />
          )}
        </div>
      ))}
      <Button
        kind="link"
        onClick={() => set([...edge.when, { of: askable(t, body)[0]?.value ?? 'launcher.level', is: 'ge', value: '' }])}
      >
        {t('workflow.editor.addCondition')}
      </Button>
    </>
  )
}

const quarterMs = 91 * 24 * 60 * 60_000

/** Warns of years, until in a quarter of a year, whose holidays nobody has entered. */
function YearsWithoutDays(): ReactNode {
  const t = useT()
  const { serverSetting, setting } = useSession()
  const [now] = useState(Date.now)
  const calendar = workCalendar(serverSetting, setting.download_time_zone)
  return yearsWithoutDays(calendar, now, now + quarterMs).map((year) => (
    <p key={year} className="wf-note">
      {t('workflow.editor.noDays', { year: String(year) })}
    </p>
  ))
}
