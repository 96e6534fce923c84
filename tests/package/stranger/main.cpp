extern "C" int answer_of_plugin();

int main() { return answer_of_plugin() == 42 ? 0 : 1; }
