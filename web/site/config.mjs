// What VitePress makes of the pages that stage.mjs has gathered.
const page = (text, link) => ({ text, link: `/docs/${link}` });

export default {
  title: "artel",
  description: "Worker pools, commands over many items, fleets in simulated time",
  srcExclude: ["node_modules/**"],
  head: [["link", { rel: "icon", href: "data:," }]],
  outDir: "../docs",
  cacheDir: "../docs-cache",
  appearance: true,
  metaChunk: true,
  markdown: {
    theme: { light: "github-light", dark: "github-dark-high-contrast" },      // most of a header is comments, which the plain one dims
    // Code in a line is not a template: {{.workers = 4}} is meant as it stands.
    config: (md) => {
      md.renderer.rules.code_inline = (tokens, i) => `<code v-pre>${md.utils.escapeHtml(tokens[i].content)}</code>`;
    },
  },
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav: [page("Quickstart", "quickstart"), page("Cookbook", "cookbook"), page("Reference", "api")],
    sidebar: [
      { text: "Begin", items: [{ text: "artel", link: "/" }, page("Five minutes", "quickstart"), page("Install", "install"), page("Cookbook", "cookbook")] },
      { text: "Tutorials", items: [
        page("Serve requests with a pool", "tutorials/serve-requests"), page("Process a million files", "tutorials/process-files"),
        page("Choose a fleet", "tutorials/choose-a-fleet"), page("Simulate a protocol", "tutorials/simulate-a-protocol"),
        page("Go to several machines", "tutorials/go-to-several-machines")] },
      { text: "Coming from", collapsed: true, items: [
        page("std::async", "coming-from/std-async"), page("BS::thread_pool", "coming-from/bs-thread-pool"),
        page("Taskflow", "coming-from/taskflow"), page("oneTBB", "coming-from/onetbb"), page("Asio", "coming-from/asio"),
        page("Celery", "coming-from/celery"), page("GNU parallel, xargs", "coming-from/gnu-parallel"), page("SimPy", "coming-from/simpy"), page("SimPy, in Python", "coming-from/simpy-python"),
        page("DSLab", "coming-from/dslab")] },
      { text: "Guides", items: [
        page("Pool", "pool"), page("How fast the pool is", "pool-speed"), page("Futures, scopes, graphs", "futures"), page("Workers with a state", "services"), page("Map and reduce", "parallel"),
        page("Other libraries", "interop"), page("Commands over items", "map"), page("What a job gets", "map-inputs"), page("Jobs that fail", "map-failures"), page("Jobs on other machines", "map-machines"),
        page("Plan", "plan"), page("Which policy on the whole", "arena"), page("Which policy for which fleet", "atlas"), page("Workers as they are", "fleets"),
        page("Batches and caches", "fleets-batches"), page("Failures and admission", "fleets-failures"),
        page("When tasks come", "arrivals"), page("Callers as they are", "callers"), page("Several pools", "stages"), page("Every key of a scenario", "scenario-keys"),
        page("Fleets that grow and shrink", "scaling"), page("From a log", "import"), page("What a log leaves open", "import-gaps"), page("A fleet that runs", "watch"),
        page("Replay and calibrate", "prediction"), page("How good predictions are", "accuracy"), page("Models of your own", "own-models"), page("Reports", "report"), page("How sure a figure is", "intervals"), page("Policies", "policies/"),
        page("Simulation", "simulation"), page("Seeing into a simulation", "simulation-insight"), page("How fast simulations run", "simulation-speed"),
        page("Models", "models"), page("Networks and platforms", "models-network"), page("Python", "python"), page("Cluster", "cluster"), page("Looking after a cluster", "cluster-operation"),
        page("What a cluster costs", "cluster-speed"), page("Cluster from a program", "cluster-library"), page("Security of a cluster", "cluster-security")] },
      { text: "Reference", items: [
        page("Public headers", "api"), page("Trace format", "trace-format"), page("JSON", "json"), page("What is stable", "stability"), page("Extending artel", "extending"), page("From 0.1 to 0.2", "upgrading"),
        { text: "Architecture", link: "/ARCHITECTURE" }, { text: "Contributing", link: "/CONTRIBUTING" }, page("Releasing", "releasing"),
        { text: "Security", link: "/SECURITY" }, { text: "Changes", link: "/CHANGELOG" }] },
      { text: "Decisions", collapsed: true, items: globalThis.artelDecisions ?? [] },
    ],
  },
};
