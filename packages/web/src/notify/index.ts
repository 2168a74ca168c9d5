// The notification centre: its bell in the title bar, its panel, its page.
export { Bell, useUnread } from './bell.tsx'
export { desktopPermission, playSound, requestDesktopPermission } from './desktop-notifier.ts'
