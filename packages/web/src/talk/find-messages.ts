// Messages for the search of everything (Ctrl+K).
import { api } from '../core/call/api.ts'
import type { Command } from '../core/menu/commands.ts'
import { openAddress } from '../core/page/open-address.ts'

const longestLine = 60

/** The newest messages with these words that the person may read. */
export async function findMessages(keyword: string, most: number): Promise<Command[]> {
  const { list } = await api.imSearch({ keyword, rows: most }, { quiet: true })
  return list.map(({ message: { id, conversationId, number, fromName, value, data }, chat }) => {
    const said = (value || data.name || '').replace(/\s+/g, ' ')
    return {
      id: `message-${id}`,
      label: `${fromName}：${[...said].slice(0, longestLine).join('')}`,
      hint: chat,
      run: () => openAddress(`/im/index?chat=${conversationId}&at=${number}`),
    }
  })
}
