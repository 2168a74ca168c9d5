// The focused process beside its list, with the same acts as its window.
import type { ProcessRow } from '@cloudoc/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { ArrowUndo16Regular, Checkmark16Filled, Dismiss16Regular } from '../../kit/icons.ts'
import { backOne, failOne, passOne, remind } from '../process/acts.ts'
import { Attachment } from '../process/attachment.tsx'
import { nextToChoose } from '../process/next-handlers.ts'
import { FormValues } from '../shared/form-fields.tsx'
import { StateChip } from '../shared/state-chip.tsx'
import { Steps } from '../shared/steps.tsx'
import { type ProcessView, processQuery } from '../shared/workflow-queries.ts'
import './lists.css'

export function ProcessSide({ process }: { readonly process: ProcessRow }): ReactNode {
  const t = useT()
  const { data } = useQuery(processQuery(process.processId))
  return (
    <aside className="wl-side" aria-label={process.processName}>
      <div className="wl-side-body">
        <h2>
          {process.processName} <StateChip process={process} />
        </h2>
        <small>{t('workflow.side.by', { name: process.launcherName, number: process.processNumber })}</small>
        {data !== undefined && (
          <>
            <dl className="wf-facts wl-facts">
              <FormValues fields={data.body.fields} values={data.form} names={data.names} />
            </dl>
            <Attachment process={data} />
            <Steps process={data} />
          </>
        )}
      </div>
      {data !== undefined && <SideActs process={data} />}
    </aside>
  )
}

function SideActs({ process }: { readonly process: ProcessView }): ReactNode {
  const t = useT()
  const [comments, setComments] = useState('')
  const [problem, setProblem] = useState(false)
  const open = (): void =>
    void openWindow('cloudoc-workflow-detail', { processId: process.processId, name: process.processName })
  if (process.mode !== 'decide')
    return (
      <footer>
        {process.may.remind && (
          <Button size="small" onClick={() => void remind(process)}>
            {t('workflow.act.remind')}
          </Button>
        )}
        <Button size="small" kind="primary" onClick={open}>
          {t(process.mode === null && process.state !== 'draft' ? 'workflow.open' : 'workflow.goOn')}
        </Button>
      </footer>
    )
  const needComments = (): boolean => {
    setProblem(comments.trim() === '')
    return comments.trim() !== ''
  }
  const pass = async (): Promise<void> => {
    const chosen = await nextToChoose(process)
    if (chosen !== undefined) await passOne(process, comments, chosen)
  }
  const back = async (): Promise<void> => {
    if (!needComments()) return
    const to = await openWindow('workflow-send-back', { processId: process.processId })
    if (to !== undefined) await backOne(process, to.node, to.name, comments)
  }
  return (
    <footer>
      <span className="k-input">
        <input
          aria-label={t('workflow.comments')}
          aria-invalid={problem}
          placeholder={t('workflow.comments.hint')}
          maxLength={1000}
          value={comments}
          onChange={({ target }) => {
            setComments(target.value)
            setProblem(false)
          }}
        />
      </span>
      {problem && (
        <small className="wf-problem" role="alert">
          {t('workflow.comments.needed')}
        </small>
      )}
      <div>
        <Button
          size="small"
          kind="danger"
          icon={<Dismiss16Regular />}
          onClick={() => {
            if (needComments()) void failOne(process, comments)
          }}
        >
          {t('workflow.act.fail')}
        </Button>
        {process.backTo.length > 0 && (
          <Button size="small" icon={<ArrowUndo16Regular />} onClick={() => void back()}>
            {t('workflow.act.back')}
          </Button>
        )}
        <Button size="small" kind="primary" icon={<Checkmark16Filled />} onClick={() => void pass()}>
          {t('workflow.act.pass')}
        </Button>
      </div>
    </footer>
  )
}
