// People: signing in and out, the account and its password.
export { Login } from './login/login.tsx'
export { SetPassword, setPasswordPath } from './login/set-password.tsx'
export { Mark } from './mark.tsx'
