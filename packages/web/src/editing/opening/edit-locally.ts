// Opens a file in a local application through the desktop control program ([R182], [R362]).
import type { ItemRecord } from '@cloudoc/contract'
import { isOlderVersion, localEditAddress, programOrigin } from '@cloudoc/domain'
import { api } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import { sessionStore } from '../../core/session/session.ts'
import { toast } from '../../core/toast/toast.ts'
import { messageBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { isSystemSupported, pageWord, queryControlProgram } from './control-program.ts'
import { refreshLater } from './editable.ts'

/** Opens a file in a local application. Shows an error with a solution if this is not possible ([R185]). */
export async function editLocally(item: Pick<ItemRecord, 'serverId' | 'fId' | 'fName'>): Promise<void> {
  const { fId, fName } = item
  try {
    if (!isSystemSupported()) return await offerProgram(t('editor.local.noSystem'), '')
    const [here, newest] = await Promise.all([queryControlProgram(), api.getEditControlVersion({})])
    if (here === undefined) return await offerProgram(t('editor.local.missing'), newest.address, '')
    if (isOlderVersion(here, newest.version)) {
      return await offerProgram(t('editor.local.old', { old: here, n: newest.version }), newest.address, here)
    }
    // The one-time token is requested last, because it expires after a minute.
    const { version } = await api.of(item).getFileInfo({ fileId: fId })
    const { key } = await api.of(item).createEditKey({ fileId: fId, local: true })
    const setting = sessionStore.getState().session?.setting
    const { server_code = '', web_context = '', proxy_address = '' } = setting ?? {}
    const origin = programOrigin(location.origin, { proxy_address, server_code })
    const server = { server: origin, code: server_code, context: web_context }
    const link = document.createElement('a')
    link.href = localEditAddress({ ...server, fileId: fId, fileName: fName, version, key, token: pageWord() })
    link.click()
    toast({ text: t('editor.local.opening', { name: fName }), kind: 'success' })
    refreshLater(item)
  } catch (error) {
    notifyFailure(error)
  }
}

/** Without an address of the company's own, the program is one of those that the server has ([R372]). */
async function offerProgram(text: string, address: string, current?: string): Promise<void> {
  if (address === '' && current !== undefined) return void openWindow('editor-plugin-updater', { current })
  const { button } = await messageBox({
    ...{ text, icon: 'warning' },
    buttons: [
      { id: 'cancel', text: t('box.cancel') },
      ...(address === '' ? [] : [{ id: 'get', text: t('editor.local.get'), kind: 'primary' as const }]),
    ],
  })
  if (button === 'get') window.open(address, '_blank', 'noopener')
}
