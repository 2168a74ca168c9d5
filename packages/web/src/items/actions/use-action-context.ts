import { useMemo } from 'react'
import { useOnline } from '../../core/push/connection.ts'
import { useSession } from '../../core/session/session.ts'
import type { ActionContext } from './actions.ts'
import { useClipboard } from './clipboard.ts'

/** Returns the facts for the gates from the session, the connection and the clipboard. */
export function useActionContext(): ActionContext {
  const session = useSession()
  const online = useOnline()
  const clipboard = useClipboard((state) => state.items.length > 0)
  return useMemo(
    () => ({
      userId: session.account.userId,
      secretLevel: session.account.secretLevel,
      isGuest: session.permission.isGuest,
      capabilities: new Set(session.permission.capabilities),
      settings: {
        print_rights: session.setting.print_rights,
        export_sub_file: session.setting.export_sub_file,
        pdf_compression: session.setting.pdf_compression,
        download_watermark: session.setting.download_watermark,
        secret_manage: session.setting.secret_manage,
        authorization_menu: session.setting.authorization_menu,
        file_folder_comment: session.setting.file_folder_comment,
        temp_file_folder_notify: session.setting.temp_file_folder_notify,
        tag: session.setting.tag,
        useGL: session.setting.useGL,
        colleague_files: session.setting.colleague_files,
        show_shared_links: session.setting.show_shared_links,
        email: session.setting.email,
        online_edit: session.setting.online_edit,
        force_unlock_file: session.setting.force_unlock_file,
        process_level: session.setting.process_level,
        operation_application: session.setting.operation_application,
        exchange_file_enabled: session.setting.exchange_file_enabled,
        signing: session.setting.signing,
      },
      offline: !online,
      clipboard,
    }),
    [session, online, clipboard],
  )
}
