// cloudoc-edit-held ([R171]): another user edits the file that the user opens. The user reads it, waits for it, or
// requests it.
import type { ItemRecord } from '@cloudoc/contract'
import { limits } from '@cloudoc/domain'
import { type ReactNode, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/fields.tsx'
import { Avatar } from '../../people/index.ts'
import { ChoiceCards } from '../shared/choice-cards.tsx'
import { useLockedSince } from './locked-since.ts'
import '../shared/edit-dialogs.css'

export interface FileLockedProps {
  readonly item: ItemRecord
  /** There is a web editor for the file. Waiting is not offered for a file that can only be read. */
  readonly canWait: boolean
}

const actions = ['read', 'wait', 'ask'] as const

/** The decision of the user. */
export interface FileLockedAnswer {
  readonly action: (typeof actions)[number]
  /** The message to the user who edits the file. */
  readonly message: string
}

export function FileLocked({ item, canWait, close }: WindowProps<FileLockedProps, FileLockedAnswer>): ReactNode {
  const t = useT()
  const [choice, choose] = useState<FileLockedAnswer['action']>('read')
  const [message, setMessage] = useState('')
  const since = useLockedSince(item)
  const who = isolated(item.editorName)
  const choices: readonly FileLockedAnswer['action'][] = canWait ? actions : ['read']
  return (
    <>
      <DialogBody>
        <div className="ed-told is-roomy">
          <Avatar name={item.editorName} picture="" size={40} />
          <div>
            <h3 className="ed-name" title={item.editorName}>
              {t('turn.held', { who })}
            </h3>
            <p className="ed-told-name" title={item.fName}>
              {since === '' ? item.fName : `${item.fName} · ${since}`}
            </p>
          </div>
        </div>
        <ChoiceCards
          label={t('turn.held', { who })}
          choices={choices.map((id) => ({
            id,
            text: t(`turn.${id}`, { who }),
            more: t(`turn.${id}.more`, { who, n: item.version }),
          }))}
          choice={choice}
          onChoose={choose}
        />
        {choice === 'ask' && (
          <TextField
            label={t('turn.message', { who })}
            value={message}
            maxLength={limits.unlockMessage}
            onChange={(event) => setMessage(event.target.value)}
          />
        )}
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => close()}>{t('drive.cancel')}</Button>
        <Button kind="primary" autoFocus onClick={() => close({ action: choice, message: message.trim() })}>
          {t(choice === 'read' ? 'turn.go' : 'box.ok')}
        </Button>
      </DialogFooter>
    </>
  )
}
