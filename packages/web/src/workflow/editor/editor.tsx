// The editor of a workflow template: the list of its nodes, the canvas, the panel of the selected node; or the
// simulation. Changes belong to their author until they are published.
import type { Answer, calls, TemplateBody } from '@cloudoc/contract'
import { checkTemplate } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { api, CallError } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { showMenu } from '../../core/menu/menu.ts'
import { useSession } from '../../core/session/session.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import { ArrowLeft20Regular, ArrowRedo20Regular, ArrowUndo20Regular } from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { draftQuery, namesOf, refetchWorkflows } from '../shared/workflow-queries.ts'
import { editorAddress } from '../templates/manage.tsx'
import { Behind, changesText } from './draft-changes.tsx'
import { edgeText, type Names, nodeText } from './labels.ts'
import { NodePanel } from './node-panel.tsx'
import { Outline } from './outline.tsx'
import { RoadPanel, SituationPanel, useSimulation } from './simulation.tsx'
import { insertable, insertInto, newBody } from './template-draft.ts'
import { storeUnsaved, unsavedDraft } from './unsaved-draft.ts'
import { useDrawing } from './use-editor.ts'
import './texts.ts'
import './editor.css'

const Canvas = lazy(() => import('./canvas.tsx').then((module) => ({ default: module.Canvas })))

type Draft = Answer<typeof calls.getProcessTemplateDraft>

/** The editor of one template; 0 is a new one. */
export function Editor({ templateId }: { readonly templateId: number }): ReactNode {
  const t = useT()
  const { data, error } = useQuery({ ...draftQuery(templateId), enabled: templateId > 0 })
  if (error !== null) return <StatePage title={t('workflow.template.gone')} text={error.message} />
  if (templateId > 0 && data === undefined) return <Spinner label={t('workflow.loading')} />
  return <Open key={templateId} templateId={templateId} draft={data} />
}

function Open({ templateId, draft }: { readonly templateId: number; readonly draft: Draft | undefined }): ReactNode {
  const t = useT()
  const me = useSession().account.userId
  const [kept] = useState(() => unsavedDraft(me, templateId))
  const [name, setName] = useState(kept?.name ?? draft?.templateName ?? '')
  const [note, setNote] = useState(kept?.note ?? draft?.note ?? '')
  const [names, setNames] = useState<Names>(namesOf(draft?.names ?? []))
  const [selected, setSelected] = useState<string>()
  const [isSimulated, setSimulated] = useState(false)
  const drawing = useDrawing(
    kept?.body ??
      draft?.body ??
      newBody({ start: t('workflow.node.start'), task: t('workflow.node.task'), end: t('workflow.node.end') }),
  )
  const { body, change } = drawing
  const simulation = useSimulation(body, isSimulated)
  const [refused, setRefused] = useState<readonly { node: string; problem: string }[]>([])
  const found = [...checkTemplate(body), ...refused.filter(({ problem }) => problem === 'noUploadRight')]
  const problems = new Map<string, number>()
  for (const { node } of found) problems.set(node, (problems.get(node) ?? 0) + 1)
  const [base] = useState(kept?.base ?? draft?.base ?? draft?.published ?? null)
  const [baseVersion, setBaseVersion] = useState(kept?.baseVersion ?? draft?.baseVersion ?? 0)
  const [saved, setSaved] = useState(() =>
    JSON.stringify([draft?.templateName ?? '', draft?.note ?? '', draft?.body ?? body]),
  )
  const isUnsaved = saved !== JSON.stringify([name, note, body])
  useEffect(() => {
    storeUnsaved(me, templateId, isUnsaved ? { name, note, body, baseVersion, base } : undefined)
  }, [me, templateId, isUnsaved, name, note, body, baseVersion, base])
  useEffect(() => {
    if (kept !== undefined) toast({ kind: 'info', text: t('workflow.editor.restored') })
  }, [kept, t])
  const saving = useSaving({
    ...{ templateId, draft, name, note, body, baseVersion, onProblems: setRefused },
    onSaved: () => setSaved(JSON.stringify([name, note, body])),
  })
  const takeTheirs = async (): Promise<void> => {
    const published = draft?.published ?? null
    if (draft === undefined || published === null || !(await saving.giveUp(published))) return
    setSaved(JSON.stringify([draft.templateName, draft.note, published]))
    setBaseVersion(draft.version)
    setName(draft.templateName)
    setNote(draft.note)
    change(published)
  }
  const node = body.nodes.find(({ id }) => id === selected)
  const insert = (edge: string, at: { readonly x: number; readonly y: number }): void =>
    void showMenu(
      insertable.map((type) => ({
        id: type,
        label: t(`workflow.insert.${type}`),
        run: () => {
          const made = insertInto(body, edge, type, (one) => t(`workflow.node.${one}`))
          change(made.body)
          setSelected(made.id)
        },
      })),
      at,
    )
  const nextProblem = (): void => {
    const nodes = found.map((one) => one.node).filter((id) => id !== '')
    const to = nodes[(nodes.indexOf(selected ?? '') + 1) % Math.max(1, nodes.length)]
    if (to !== undefined) setSelected(to)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    // In a field the keys belong to the field.
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return
    const key = event.key.toLowerCase()
    if (event.key === 'F8') nextProblem()
    else if (event.ctrlKey && key === 'z' && !event.shiftKey) drawing.undo()
    else if (event.ctrlKey && (key === 'y' || (key === 'z' && event.shiftKey))) drawing.redo()
    else return
    event.preventDefault()
  }
  const road = isSimulated ? simulation.data : undefined
  const numbers = new Map<string, number>([
    ['start', 0],
    ['end', 0],
  ])
  for (const [n, step] of (road?.steps ?? []).entries()) if (!numbers.has(step.node)) numbers.set(step.node, n + 1)
  // Forks, joins and conditions on the road have no number.
  for (const { id, from, to } of body.edges)
    for (const one of road?.edges.includes(id) === true ? [from, to] : []) if (!numbers.has(one)) numbers.set(one, 0)
  const problemText = (id: string): string[] =>
    found
      .filter((one) => one.node === id)
      .map(({ problem }) => t(`workflow.problem.${problem}` as 'workflow.problem.noName'))
  return (
    <div className="we-editor" role="presentation" onKeyDown={onKeyDown}>
      <Bar
        {...{ draft, name, onName: setName, isSimulated, onSimulate: setSimulated, saving, drawing }}
        problems={found.length}
        isUnsaved={isUnsaved}
        onProblem={nextProblem}
      />
      {draft !== undefined && draft.published !== null && baseVersion < draft.version && (
        <Behind
          {...{ by: draft.updatedBy, at: draft.updateTime, version: draft.version, busy: saving.busy }}
          {...{ base, published: draft.published }}
          onKeepMine={() => setBaseVersion(draft.version)}
          onTakeTheirs={() => void takeTheirs()}
        />
      )}
      <div className="we-split">
        {isSimulated ? (
          <SituationPanel body={body} situation={simulation.situation} onChange={simulation.setSituation} />
        ) : (
          <Outline
            {...{ body, names, selected, problems }}
            onSelect={setSelected}
            onInsert={insert}
            onChange={change}
          />
        )}
        <div className="we-canvas">
          <Suspense fallback={<Spinner label={t('workflow.loading')} />}>
            <Canvas
              {...{ body, selected, problems }}
              onSelect={setSelected}
              onInsert={isSimulated ? undefined : insert}
              aboutNode={(one) => nodeText(t, one, names)}
              aboutEdge={(one) => edgeText(t, one, body, names)}
              road={road === undefined ? undefined : { nodes: numbers, edges: new Set(road.edges) }}
            />
          </Suspense>
        </div>
        {isSimulated ? (
          <RoadPanel body={body} launcher={simulation.situation.launcher} data={simulation.data} />
        ) : node === undefined ? (
          <TemplatePanel problems={problemText('')} note={note} onNote={setNote} />
        ) : (
          <NodePanel
            key={node.id}
            {...{ body, node, names }}
            problems={problemText(node.id)}
            onChange={change}
            onNames={(more) => setNames({ ...names, ...more })}
            onGone={() => setSelected(undefined)}
          />
        )}
      </div>
    </div>
  )
}

interface TemplatePanelProps {
  readonly problems: readonly string[]
  readonly note: string
  readonly onNote: (note: string) => void
}

/** What concerns the whole template, while no node is selected. */
function TemplatePanel({ problems, note, onNote }: TemplatePanelProps): ReactNode {
  const t = useT()
  return (
    <section className="we-panel" aria-label={t('workflow.editor.node')}>
      <h3>{t('workflow.editor.template')}</h3>
      {problems.map((text) => (
        <p key={text} className="wf-note" data-tone="danger">
          {text}
        </p>
      ))}
      <div className="we-row">
        <span>{t('workflow.explain')}</span>
        <div>
          <span className="k-input">
            <input
              aria-label={t('workflow.explain')}
              maxLength={200}
              value={note}
              onChange={({ target }) => onNote(target.value)}
            />
          </span>
        </div>
      </div>
      <p>{t('workflow.editor.hint')}</p>
    </section>
  )
}

interface SavingOf {
  readonly templateId: number
  readonly draft: Draft | undefined
  readonly name: string
  readonly note: string
  readonly body: TemplateBody
  readonly baseVersion: number
  readonly onSaved: () => void
  readonly onProblems: (problems: readonly { node: string; problem: string }[]) => void
}

/** Saves the draft, and publishes it. */
function useSaving({ templateId, draft, name, note, body, baseVersion, onSaved, onProblems }: SavingOf) {
  const t = useT()
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const attempt = async (work: () => Promise<void>): Promise<boolean> => {
    setBusy(true)
    try {
      await work()
      return true
    } catch (failure) {
      // A conflict is told by the banner, with what the others changed.
      if (!(failure instanceof CallError && failure.code === 'fileConflict'))
        toast({ kind: 'error', text: failure instanceof CallError ? failure.message : t('workflow.failed') })
      // Somebody else has published: what, is read anew and shown.
      if (templateId > 0) void queryClient.invalidateQueries({ queryKey: draftQuery(templateId).queryKey })
      return false
    } finally {
      setBusy(false)
    }
  }
  const store = async (): Promise<number> => {
    const saved = await api.saveProcessTemplate(
      { templateId, templateName: name.trim(), note, body, baseVersion },
      { quiet: true },
    )
    onProblems(saved.problems)
    onSaved()
    return saved.templateId
  }
  const mayPublish = (): Promise<boolean> =>
    confirmBox({
      title: t('workflow.editor.publish', { n: (draft?.version ?? 0) + 1 }),
      text: t('workflow.editor.publish.sure', { n: (draft?.version ?? 0) + 1 }),
      detail: changesText(t, draft?.published ?? body, body),
    })
  return {
    busy,
    save: () =>
      attempt(async () => {
        const id = await store()
        toast({ kind: 'success', text: t('workflow.editor.saved') })
        if (templateId === 0) {
          refetchWorkflows()
          void navigate(editorAddress(id), { replace: true })
        }
      }),
    /** Gives the changes up for what is published: a draft that is the same is none. */
    giveUp: (published: TemplateBody) =>
      attempt(async () => {
        const { templateName, note: explained, version } = draft ?? { templateName: name, note, version: 0 }
        await api.saveProcessTemplate(
          { templateId, templateName, note: explained, body: published, baseVersion: version },
          { quiet: true },
        )
      }),
    publish: () =>
      attempt(async () => {
        if ((draft?.version ?? 0) > 0 && !(await mayPublish())) return
        const id = await store()
        const { version, problems } = await api.publishProcessTemplate({ templateId: id, baseVersion }, { quiet: true })
        onProblems(problems)
        if (version === 0) return toast({ kind: 'error', text: t('workflow.toCorrect', { n: problems.length }) })
        toast({ kind: 'success', text: t('workflow.editor.published', { n: version }) })
        refetchWorkflows()
        void navigate('/doc/admin/workflow')
      }),
  }
}

interface BarProps {
  readonly draft: Draft | undefined
  readonly name: string
  readonly onName: (name: string) => void
  readonly isSimulated: boolean
  readonly onSimulate: (on: boolean) => void
  readonly saving: ReturnType<typeof useSaving>
  readonly drawing: ReturnType<typeof useDrawing>
  readonly problems: number
  readonly isUnsaved: boolean
  readonly onProblem: () => void
}

function Bar({
  draft,
  name,
  onName,
  isSimulated,
  onSimulate,
  saving,
  drawing,
  problems,
  isUnsaved,
  onProblem,
}: BarProps): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const next = (draft?.version ?? 0) + 1
  const isNamed = name.trim() !== ''
  return (
    <header className="we-bar">
      <IconButton
        label={t('workflow.editor.toList')}
        icon={<ArrowLeft20Regular />}
        onClick={() => void navigate('/doc/admin/workflow')}
      />
      <span className="k-input">
        <input
          aria-label={t('workflow.editor.templateName')}
          aria-invalid={!isNamed}
          placeholder={t('workflow.editor.templateName')}
          maxLength={60}
          value={name}
          onChange={({ target }) => onName(target.value)}
        />
      </span>
      <StatusChip tone="warning">{t('workflow.editor.draft', { n: next })}</StatusChip>
      {isUnsaved && <small>{t('workflow.editor.unsaved')}</small>}
      {draft !== undefined && draft.version > 0 && (
        <small>{t('workflow.editor.running', { n: draft.version, running: draft.running })}</small>
      )}
      <span className="we-acts">
        {problems > 0 && (
          <Button kind="link" onClick={onProblem}>
            {t('workflow.toCorrect', { n: problems })} (F8)
          </Button>
        )}
        <IconButton
          label={t('workflow.editor.undo')}
          icon={<ArrowUndo20Regular />}
          disabled={!drawing.canUndo}
          onClick={drawing.undo}
        />
        <IconButton
          label={t('workflow.editor.redo')}
          icon={<ArrowRedo20Regular />}
          disabled={!drawing.canRedo}
          onClick={drawing.redo}
        />
        <Button aria-pressed={isSimulated} onClick={() => onSimulate(!isSimulated)}>
          {t(isSimulated ? 'workflow.editor.edit' : 'workflow.simulate')}
        </Button>
        <Button disabled={saving.busy || !isNamed} onClick={() => void saving.save()}>
          {t('workflow.editor.save')}
        </Button>
        <Button kind="primary" disabled={saving.busy || !isNamed} onClick={() => void saving.publish()}>
          {t('workflow.editor.publish', { n: next })}
        </Button>
      </span>
    </header>
  )
}
