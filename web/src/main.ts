import { mount } from "svelte";
import App from "./App.svelte";
import { speak } from "./i18n/speak.svelte";
import { prefs } from "./core/prefs.svelte";
import { keepForOffline } from "./core/offline";
import "./app.css";

await speak(prefs.language);
mount(App, { target: document.getElementById("app")! });
keepForOffline();
