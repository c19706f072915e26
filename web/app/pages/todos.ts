// The home page and the to-do list, which users open one after the other.
export { page as home } from '../../features/planning/todos/home.page.tsx'
export { page as todoList } from '../../features/planning/todos/todo-list.page.tsx'
