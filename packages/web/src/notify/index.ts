// What other areas use of the notification centre.
export { desktopPermission, playSound, requestDesktopPermission } from './desktop-notifier.ts'
