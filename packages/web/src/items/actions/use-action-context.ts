import type { FactsOfPerson } from '@cloudoc/contract/facts'
import { useMemo } from 'react'
import { useOnline } from '../../core/push/connection.ts'
import { type PersonThere, useLinkedServers } from '../../core/session/linked-servers.ts'
import { useSession } from '../../core/session/session.ts'
import type { ActionContext } from './actions.ts'
import { useClipboard } from './clipboard.ts'

/** Returns the facts for the gates from the session, the connection and the clipboard. */
export function useActionContext(): ActionContext {
  const session = useSession()
  const online = useOnline()
  const clipboard = useClipboard((state) => state.items.length > 0)
  const servers = useLinkedServers()
  return useMemo(
    () => ({
      ...factsOf(session),
      elsewhere: new Map(
        servers.flatMap(({ serverId, person }) => (person === undefined ? [] : [[serverId, factsOf(person)] as const])),
      ),
      offline: !online,
      clipboard,
    }),
    [session, servers, online, clipboard],
  )
}

/** Returns the facts of the user at one server. */
function factsOf({ account, permission, setting }: PersonThere): FactsOfPerson {
  return {
    userId: account.userId,
    secretLevel: account.secretLevel,
    isGuest: permission.isGuest,
    capabilities: new Set(permission.capabilities),
    settings: {
      print_rights: setting.print_rights,
      export_sub_file: setting.export_sub_file,
      pdf_compression: setting.pdf_compression,
      download_watermark: setting.download_watermark,
      secret_manage: setting.secret_manage,
      authorization_menu: setting.authorization_menu,
      file_folder_comment: setting.file_folder_comment,
      temp_file_folder_notify: setting.temp_file_folder_notify,
      tag: setting.tag,
      useGL: setting.useGL,
      colleague_files: setting.colleague_files,
      show_shared_links: setting.show_shared_links,
      email: setting.email,
      online_edit: setting.online_edit,
      force_unlock_file: setting.force_unlock_file,
      process_level: setting.process_level,
      operation_application: setting.operation_application,
      exchange_file_enabled: setting.exchange_file_enabled,
      signing: setting.signing,
    },
  }
}
