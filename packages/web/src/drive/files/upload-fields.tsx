// The hidden file inputs for choosing files and folders. Buttons and menus open them.
import { type ReactNode, type Ref, useImperativeHandle, useRef } from 'react'
import type { ActionSource } from '../../items/actions/item-action.tsx'
import { chosenFiles } from '../../transfer/engine/dropped-files.ts'
import type { UploadTarget } from '../../transfer/engine/upload-plan.ts'
import type { UploadFields as UploadFieldsHandle } from '../../transfer/tasks/menu.tsx'
import { upload } from '../../transfer/tasks/uploads.ts'

/** How the upload was started, as sent to the server. */
type UploadType = 'Button' | 'RightClick'

interface UploadFieldsProps {
  readonly ref: Ref<UploadFieldsHandle>
  /** The target folder of the upload. Undefined while it is not known. */
  readonly target: UploadTarget | undefined
}

export function UploadFields({ ref, target }: UploadFieldsProps): ReactNode {
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  /** How the upload was started that the user is choosing files for. */
  const askedBy = useRef<UploadType>('Button')
  const asksForLevel = useRef(false)
  useImperativeHandle(ref, () => {
    const choose = (input: HTMLInputElement | null, by: ActionSource, level = false): void => {
      asksForLevel.current = level
      askedBy.current = by === 'menu' ? 'RightClick' : 'Button'
      input?.click()
    }
    return {
      chooseFiles: (by, level) => choose(files.current, by, level),
      chooseFolder: (by) => choose(folder.current, by),
    }
  }, [])
  const pick = (input: HTMLInputElement): void => {
    if (input.files !== null && target !== undefined)
      void upload(chosenFiles(input.files), target, askedBy.current, asksForLevel.current)
    input.value = ''
  }
  return (
    <>
      <input ref={files} type="file" multiple hidden onChange={(event) => pick(event.target)} />
      <input
        ref={(element) => {
          element?.setAttribute('webkitdirectory', '')
          folder.current = element
        }}
        type="file"
        hidden
        onChange={(event) => pick(event.target)}
      />
    </>
  )
}
