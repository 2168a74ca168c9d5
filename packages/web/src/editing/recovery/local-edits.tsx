// The files that are open in programs of this computer ([R175], [R176]): their states, and what can be done with those
// that were not submitted.
import { codeText, EditState, type LocalEditView, localFailures } from '@cloudoc/domain'
import { type ReactNode, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { currentLocale, t as say, useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox, messageBox } from '../../core/windows/boxes.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { ItemLine } from '../../items/item/item-line.tsx'
import { Button } from '../../kit/button.tsx'
import { commandEdit, type EditCommand, followLocalEdits, localEditsStore } from '../opening/edit-control.ts'

/** Nothing is shown where no program answers or none has a file of this account. */
export function LocalEdits(): ReactNode {
  const t = useT()
  const edits = useStore(localEditsStore, ({ edits: told }) => told)
  useEffect(followLocalEdits, [])
  const shown = (edits ?? []).filter(({ closed, state }) => !closed || state === EditState.changed)
  if (shown.length === 0) return null
  return (
    <section aria-label={t('editor.local.edits')}>
      <h3>{t('editor.local.edits')}</h3>
      <ul className="ed-edits">
        {shown.map((edit) => (
          <LocalEdit key={edit.id} edit={edit} />
        ))}
      </ul>
    </section>
  )
}

/** The words for the number of a failure. */
function failureText(failure: number): string {
  if (failure === localFailures.noConnection) return say('editor.local.failure.connection')
  if (failure === localFailures.fileInUse) return say('editor.local.failure.inUse')
  if (failure === localFailures.diskFull) return say('editor.local.failure.diskFull')
  return codeText(failure, currentLocale())
}

function LocalEdit({ edit }: { readonly edit: LocalEditView }): ReactNode {
  const t = useT()
  const [isBusy, setBusy] = useState(false)
  const { fileId, fileName, localPath, state, conflict, failure } = edit
  const isChanged = state === EditState.changed
  const command = async (told: EditCommand): Promise<void> => {
    setBusy(true)
    const result = await commandEdit(fileId, told)
    setBusy(false)
    if (result !== -1) return notifyFailure(say('editor.local.notDone', { why: failureText(result) }))
    if (told.command === 'submitEdit')
      toast({ kind: 'success', text: say('editor.local.submitted', { name: fileName }) })
  }
  const discard = async (): Promise<void> => {
    const text = say('editor.recent.discardAsk', { name: fileName })
    if (await confirmBox({ text, ok: say('editor.recent.discard'), danger: true })) {
      await command({ command: 'discardEdit', confirmed: true })
    }
  }
  const resolve = async (): Promise<void> => {
    const { button } = await messageBox({
      text: say('editor.local.conflictAsk', { name: fileName, n: conflict }),
      icon: 'question',
      buttons: [
        { id: 'cancel', text: say('box.cancel') },
        { id: 'saveAs', text: say('editor.local.saveAs') },
        { id: 'overwrite', text: say('editor.local.overwrite'), kind: 'primary' },
      ],
    })
    if (button === 'saveAs' || button === 'overwrite') await command({ command: 'resolveConflict', answer: button })
  }
  const words = (): string => {
    if (conflict > 0) return t('editor.local.conflict', { n: conflict })
    if (isChanged) return failure === 0 ? t('editor.recent.status.4') : failureText(failure)
    return t(state === EditState.submitted ? 'editor.local.state.submitted' : 'editor.local.state.open')
  }
  return (
    <ItemLine name={fileName} isFolder={false}>
      <small className={isChanged ? 'ed-edit-state is-warning' : 'ed-edit-state'}>{words()}</small>
      <small className="ed-edit-place" title={localPath}>
        {localPath}
      </small>
      <span className="ed-edit-do">
        {conflict > 0 && (
          <Button kind="link" size="small" disabled={isBusy} onClick={() => void resolve()}>
            {t('editor.local.resolve')}
          </Button>
        )}
        {isChanged && conflict === 0 && (
          <Button
            kind="link"
            size="small"
            disabled={isBusy}
            aria-label={t('editor.recent.submitOf', { name: fileName })}
            onClick={() => void command({ command: 'submitEdit' })}
          >
            {t('editor.recent.submit')}
          </Button>
        )}
        {isChanged && (
          <Button
            kind="link"
            size="small"
            disabled={isBusy}
            aria-label={t('editor.recent.discardOf', { name: fileName })}
            onClick={() => void discard()}
          >
            {t('editor.recent.discard')}
          </Button>
        )}
        {!isChanged && (
          <Button kind="link" size="small" disabled={isBusy} onClick={() => void command({ command: 'unlockFile' })}>
            {t('editor.local.release')}
          </Button>
        )}
      </span>
    </ItemLine>
  )
}
