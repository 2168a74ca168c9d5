// The abuse report of a visitor about a link ([R228]): the reason, a comment and contact data. The security officers
// receive it. The creator of the link only sees the reason.
import { type ReactNode, type SyntheticEvent, useRef, useState } from 'react'
import type { Labels } from './labels.ts'
import { type Reason, refusals, reportLink, VisitRefused } from './visitor-api.ts'

const reasons = ['unlawful', 'fraud', 'private', 'copyright', 'other'] as const satisfies readonly Reason[]

export function Report({ say }: { readonly say: Labels }): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  const [open, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className="vi-report"
        aria-haspopup="dialog"
        onClick={() => {
          setOpen(true)
          dialog.current?.showModal()
        }}
      >
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path d="M5 16.5V4M5 4.5c3-1.5 5 1.5 10 0v7c-5 1.5-7-1.5-10 0" />
        </svg>
        <span>{say('report')}</span>
      </button>
      <dialog ref={dialog} className="vi-dialog" aria-label={say('reportTitle')} onClose={() => setOpen(false)}>
        {open && <Form say={say} onClose={() => dialog.current?.close()} />}
      </dialog>
    </>
  )
}

function Form({ say, onClose }: { readonly say: Labels; readonly onClose: () => void }): ReactNode {
  const [reason, setReason] = useState<Reason>()
  const [comments, setComments] = useState('')
  const [contact, setContact] = useState('')
  const [state, setState] = useState<'writing' | 'sending' | 'sent'>('writing')
  const [problem, setProblem] = useState<string>()
  const lacks = reason === undefined || (reason === 'other' && comments.trim() === '')
  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    if (reason === undefined) return
    setState('sending')
    setProblem(undefined)
    try {
      await reportLink({ reason, comments, contact })
      setState('sent')
    } catch (error) {
      const isTooOften = error instanceof VisitRefused && error.result === refusals.tooOften
      const why = error instanceof Error ? error.message : ''
      setProblem(isTooOften ? say('reportedOften') : say('failed', { why }))
      setState('writing')
    }
  }
  if (state === 'sent')
    return (
      <>
        <h2>{say('reported')}</h2>
        <p role="status">{say('reportedMore')}</p>
        <div className="vi-answers">
          <button type="button" className="vi-main" autoFocus onClick={onClose}>
            {say('close')}
          </button>
        </div>
      </>
    )
  return (
    <form onSubmit={(event) => void submit(event)}>
      <h2>{say('reportTitle')}</h2>
      <fieldset>
        <legend>{say('reportWhy')}</legend>
        {reasons.map((one) => (
          <label key={one}>
            <input type="radio" name="reason" checked={reason === one} onChange={() => setReason(one)} />
            {say(`report_${one}`)}
          </label>
        ))}
      </fieldset>
      <label>
        <span>{say(reason === 'other' ? 'reportWords' : 'reportWordsIf')}</span>
        <textarea rows={3} maxLength={500} value={comments} onChange={({ target }) => setComments(target.value)} />
      </label>
      <label>
        <span>{say('reportContact')}</span>
        <input value={contact} maxLength={100} onChange={({ target }) => setContact(target.value)} />
      </label>
      <small>{say('reportNote')}</small>
      {problem !== undefined && (
        <p className="vi-problem" role="alert">
          {problem}
        </p>
      )}
      <div className="vi-answers">
        <button type="button" onClick={onClose}>
          {say('cancel')}
        </button>
        <button type="submit" className="vi-main" disabled={lacks || state === 'sending'}>
          {say('reportSend')}
        </button>
      </div>
    </form>
  )
}
