// A process that is not launched yet, or that was sent back to its launcher: title, form, attachment and chosen handlers
// ([R265]). It is kept as a draft or submitted.
import type { TemplateBody, WorkflowRoadStep } from '@cloudoc/contract'
import { extNameOf, formProblems } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Step } from '../../approvals/index.ts'
import { api, CallError, mainServer } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { toast } from '../../core/toast/toast.ts'
import { openWindow, type WindowProps } from '../../core/windows/index.ts'
import { FileIcon } from '../../items/item/file-icon.tsx'
import { Button } from '../../kit/button.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import { Send16Regular } from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { FormFields, type FormNames } from '../shared/form-fields.tsx'
import { StateChip } from '../shared/state-chip.tsx'
import { Ahead, Steps } from '../shared/steps.tsx'
import {
  chosenOf,
  type ProcessView,
  refetchWorkflows,
  templateQuery,
  valuesOf,
  workflowKey,
} from '../shared/workflow-queries.ts'
import { acted, deleteDraft, replaceFile, withdraw } from './acts.ts'
import { Attachment } from './attachment.tsx'
import { contentFor } from './relaunch.ts'
import '../shared/workflow.css'

/** The file that a process is launched for. */
export interface LaunchFile {
  readonly fId: number
  readonly fName: string
  readonly version: number
}

type Chosen = Readonly<Record<string, readonly number[]>>

interface LaunchProps extends Pick<WindowProps<object, boolean>, 'close' | 'setDirty'> {
  readonly templateId: number
  readonly file?: LaunchFile
  /** A draft, or what was sent back. */
  readonly draft?: ProcessView
  /** An ended process that is launched again. */
  readonly again?: ProcessView
}

export function Launch(props: LaunchProps): ReactNode {
  const t = useT()
  const { templateId, draft } = props
  const { data, error } = useQuery({
    ...templateQuery(templateId),
    enabled: draft === undefined || draft.state === 'draft',
  })
  if (draft !== undefined && draft.state !== 'draft')
    return <Form {...props} body={draft.body} name={draft.templateName} />
  if (error !== null) return <StatePage title={t('workflow.template.gone')} text={error.message} />
  if (data === undefined) return <Spinner label={t('workflow.loading')} />
  return <Form {...props} body={data.body} name={data.templateName} />
}

interface FormProps extends LaunchProps {
  readonly body: TemplateBody
  readonly name: string
}

const fileNameStem = (name: string): string => {
  const ext = extNameOf(name)
  return ext === '' ? name : name.slice(0, -ext.length - 1)
}

function Form({ templateId, body, name, file, draft, again, close, setDirty }: FormProps): ReactNode {
  const t = useT()
  const before = draft ?? (again === undefined ? undefined : contentFor(again, body))
  const [title, setTitle] = useState(before?.processName ?? fileNameStem(file?.fName ?? ''))
  const [form, setForm] = useState<Readonly<Record<string, string>>>(before?.form ?? {})
  const [names, setNames] = useState<FormNames>(before?.names ?? {})
  const [comments, setComments] = useState(before?.comments ?? '')
  const [chosen, setChosen] = useState<Chosen>(before?.chosen ?? {})
  const [folderId, setFolderId] = useState(before?.folderId ?? 0)
  const [isChecked, setChecked] = useState(false)
  const [busy, setBusy] = useState(false)
  const isRework = draft !== undefined && draft.state !== 'draft'
  const fileType = extNameOf(file?.fName ?? draft?.fName ?? '').toLowerCase()
  const fields = body.fields
  const problems = formProblems(body, form)
  const road = useRoad(templateId, form, fileType)
  const asksFolder = body.nodes.some((node) => node.type === 'archive' && node.folderId <= 0)
  const lacksFolder = asksFolder && folderId <= 0
  const missing = (road ?? []).filter((step) => step.chosenBy === 'launcher' && (chosen[step.node]?.length ?? 0) === 0)
  const wrong =
    (title.trim() === '' ? 1 : 0) + problems.length + (lacksFolder ? 1 : 0) + (isRework ? 0 : missing.length)
  const change = (): void => setDirty(true)
  const act = async (work: () => Promise<unknown>, done: string): Promise<void> => {
    setBusy(true)
    try {
      await work()
      setDirty(false)
      toast({ kind: 'success', text: done })
      close(true)
    } catch (failure) {
      toast({ kind: 'error', text: failure instanceof CallError ? failure.message : t('workflow.failed') })
    } finally {
      refetchWorkflows()
      setBusy(false)
    }
  }
  const content = () => ({
    ...{ templateId, title, form: valuesOf(form), comments, folderId },
    chosen: chosenOf(chosen),
  })
  const store = async (): Promise<number> => {
    if (draft !== undefined) {
      await api.of(mainServer).updateProcess({ processId: draft.processId, ...content() }, { quiet: true })
      return draft.processId
    }
    const made = await api
      .of(mainServer)
      .createProcess({ ...content(), ...(file !== undefined && { fileId: file.fId }) }, { quiet: true })
    return made.processId
  }
  return (
    <LaunchView
      {...{ name, draft, isRework, title, isChecked, busy, wrong, road, chosen, names, missing, close }}
      onTitle={(text) => {
        setTitle(text)
        change()
      }}
      onChoose={(node, people) => {
        setChosen({ ...chosen, [node]: people.map(({ userId }) => userId) })
        setNames({ ...names, ...Object.fromEntries(people.map((one) => [`user:${one.userId}`, one.accountName])) })
        change()
      }}
      onKeep={() => void act(store, t('workflow.done.kept'))}
      onSubmit={() => {
        setChecked(true)
        if (wrong > 0) return
        if (draft !== undefined && isRework)
          return void act(
            () => api.startNode({ ...acted(draft), title, form: valuesOf(form), comments }, { quiet: true }),
            t('workflow.done.resubmitted'),
          )
        void act(
          async () => api.launchProcess({ processId: await store() }, { quiet: true }),
          t('workflow.done.launched'),
        )
      }}
    >
      <div className="wf-form">
        <FormFields
          fields={fields}
          values={form}
          names={names}
          isChecked={isChecked}
          problemOf={(field) => {
            const found = problems.find((one) => one.field === field.id)
            return found === undefined ? undefined : t(`workflow.field.${found.problem}`)
          }}
          onChange={(id, value, named) => {
            setForm({ ...form, [id]: value })
            if (named !== undefined) setNames({ ...names, [named[0]]: named[1] })
            change()
          }}
        />
        {asksFolder && (
          <FolderField
            name={names[`folder:${folderId}`]}
            problem={isChecked && lacksFolder ? t('workflow.folder.needed') : undefined}
            onChange={(folder) => {
              setFolderId(folder.fId)
              setNames({ ...names, [`folder:${folder.fId}`]: folder.fName })
              change()
            }}
          />
        )}
        <div className="wf-field is-wide">
          <span>{t('workflow.explain')}</span>
          <div className="wf-explain">
            <textarea
              aria-label={t('workflow.explain')}
              rows={3}
              maxLength={1000}
              value={comments}
              onChange={({ target }) => {
                setComments(target.value)
                change()
              }}
            />
          </div>
        </div>
      </div>
      {draft !== undefined ? (
        <Attachment process={draft}>
          {isRework && draft.fileId > 0 && (
            <Button size="small" onClick={() => void replaceFile(draft, comments)}>
              {t('workflow.act.replace')}
            </Button>
          )}
        </Attachment>
      ) : (
        file !== undefined && (
          <div className="wf-file">
            <FileIcon ext={fileType} size={22} />
            <span title={file.fName}>
              {file.fName} <small>{t('workflow.version', { n: file.version })}</small>
            </span>
          </div>
        )
      )}
    </LaunchView>
  )
}

/** The road that the process would take with these values; loaded again when they rest. */
function useRoad(
  templateId: number,
  form: Readonly<Record<string, string>>,
  fileType: string,
): readonly WorkflowRoadStep[] | undefined {
  const { data } = useQuery({
    queryKey: [...workflowKey, 'road', templateId, fileType, JSON.stringify(form)],
    queryFn: () => api.getProcessRoad({ templateId, fileType, form: valuesOf(form) }, { quiet: true }),
    placeholderData: (before) => before,
  })
  return data?.steps
}

interface FolderFieldProps {
  readonly name: string | undefined
  readonly problem: string | undefined
  readonly onChange: (folder: { readonly fId: number; readonly fName: string }) => void
}

function FolderField({ name, problem, onChange }: FolderFieldProps): ReactNode {
  const t = useT()
  const pick = async (): Promise<void> => {
    const folder = await openWindow('drive-folder-pick', {
      ...{ title: t('workflow.folder'), hint: t('workflow.folder.hint'), verb: 'copy' },
    })
    if (folder !== undefined) onChange({ fId: folder.fId, fName: folder.fName })
  }
  return (
    <div className="wf-field">
      <span>
        {t('workflow.folder')}
        <b> *</b>
      </span>
      <div>
        <Button onClick={() => void pick()}>{name ?? t('workflow.pickFolder')}</Button>
        {problem !== undefined && (
          <small className="wf-problem" role="alert">
            {problem}
          </small>
        )}
      </div>
    </div>
  )
}

interface ViewProps extends Pick<FormProps, 'name' | 'close'> {
  readonly draft: ProcessView | undefined
  readonly isRework: boolean
  readonly title: string
  readonly isChecked: boolean
  readonly busy: boolean
  readonly wrong: number
  readonly road: readonly WorkflowRoadStep[] | undefined
  readonly chosen: Chosen
  readonly names: FormNames
  readonly missing: readonly WorkflowRoadStep[]
  readonly onTitle: (title: string) => void
  readonly onChoose: (node: string, people: readonly { userId: number; accountName: string }[]) => void
  readonly onKeep: () => void
  readonly onSubmit: () => void
  readonly children: ReactNode
}

function LaunchView(props: ViewProps): ReactNode {
  const { draft, isRework, title, isChecked, busy, wrong, road, close, children } = props
  const t = useT()
  const lacksTitle = isChecked && title.trim() === ''
  const state = { state: draft?.state ?? 'draft', isAwaited: false } as const
  return (
    <>
      <div className="wf-window">
        <div className="wf-main">
          <div className="wf-head">
            <span className="k-input wf-say">
              <input
                aria-label={t('workflow.title')}
                aria-invalid={lacksTitle}
                placeholder={t('workflow.title.hint')}
                maxLength={200}
                autoFocus
                value={title}
                onChange={({ target }) => props.onTitle(target.value)}
              />
            </span>
            <StateChip process={state} />
          </div>
          {lacksTitle && (
            <small className="wf-problem" role="alert">
              {t('workflow.title.needed')}
            </small>
          )}
          {children}
        </div>
        <aside className="wf-road" aria-label={t('workflow.road')}>
          <h3>
            {isRework ? t('workflow.progress') : t('workflow.road')}
            <small>{props.name}</small>
          </h3>
          {isRework && draft !== undefined ? <Steps process={draft} /> : <Road {...props} road={road} />}
        </aside>
      </div>
      <DialogFooter>
        <span className="wf-left" role="status">
          {isChecked && wrong > 0 && t('workflow.toCorrect', { n: wrong })}
        </span>
        {isRework
          ? draft?.may.withdraw === true && (
              <Button disabled={busy} onClick={() => void withdraw(draft).then((done) => done && close(true))}>
                {t('workflow.act.withdraw')}
              </Button>
            )
          : draft !== undefined && (
              <Button
                kind="ghost"
                disabled={busy}
                onClick={() => void deleteDraft(draft).then((done) => done && close(true))}
              >
                {t('workflow.act.delete')}
              </Button>
            )}
        {!isRework && (
          <Button kind="ghost" disabled={busy || title.trim() === ''} onClick={props.onKeep}>
            {t('workflow.act.keep')}
          </Button>
        )}
        <Button onClick={() => close(false)}>{t('workflow.cancel')}</Button>
        <Button kind="primary" icon={<Send16Regular />} disabled={busy} onClick={props.onSubmit}>
          {t(isRework ? 'workflow.act.resubmit' : 'workflow.act.submit')}
        </Button>
      </DialogFooter>
    </>
  )
}

/** The road ahead, with the choice of handlers where the template leaves it to the launcher. */
function Road({ road, chosen, names, isChecked, missing, onChoose }: ViewProps): ReactNode {
  const t = useT()
  if (road === undefined) return <Spinner label={t('workflow.loading')} />
  const pick = async (step: WorkflowRoadStep): Promise<void> => {
    const picked = (chosen[step.node] ?? []).map((userId) => ({ userId, accountName: names[`user:${userId}`] ?? '' }))
    const people = await openWindow('people-pick', { title: step.name, ok: t('workflow.ok'), picked })
    if (people !== undefined) onChoose(step.node, people)
  }
  return (
    <ol className="ap-way">
      <Step look="done" title={t('workflow.road.you')} />
      {road.map((step, n) => {
        const who = chosen[step.node] ?? []
        const lacks = isChecked && missing.includes(step)
        return (
          <Ahead key={`${step.node} ${n}`} step={step}>
            {step.chosenBy === 'launcher' && (
              <>
                <Button size="small" aria-invalid={lacks} onClick={() => void pick(step)}>
                  {who.length === 0
                    ? t('workflow.road.choose')
                    : who.map((id) => isolated(names[`user:${id}`] ?? String(id))).join(t('workflow.listJoin'))}
                </Button>
                {lacks && (
                  <small className="wf-problem" role="alert">
                    {t('workflow.road.needed')}
                  </small>
                )}
              </>
            )}
          </Ahead>
        )
      })}
    </ol>
  )
}
